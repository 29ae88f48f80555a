//! Runs every robot file of a folder for 5 s at 1 ms and prints how fast.
//!
//! `cargo run --release --example corpus_realtime -- FOLDER`
//!
//! Friction, damping and limits are given where a file has none, every refused element is acknowledged, every joint is
//! driven by a sine. `wall` is the stepping alone; `total` is reading, building, stepping, and writing all three files.

#[path = "../tests/kit/generated.rs"]
mod generated;

use articula::experiment::Experiment;
use articula::report::{Clocked, Folder, document, write_csv, write_npz};
use articula::rollout::Ending;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() -> std::process::ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: corpus_realtime FOLDER");
        return std::process::ExitCode::from(2);
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    println!(
        "file | joints | frames | steps | wall, ms | x real time | total, ms | x real time | settled | within limits"
    );
    println!("---|---|---|---|---|---|---|---|---|---");
    for file in files {
        let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
        match line(&file) {
            Ok(line) => println!("{name} | {line}"),
            Err(error) => println!("{name} | {}", error.to_string().lines().next().unwrap_or_default()),
        }
    }
    std::process::ExitCode::SUCCESS
}

fn line(file: &Path) -> articula::Result<String> {
    let text = generated::experiment(file)?;
    let place = std::env::temp_dir().join(format!("articula-corpus-{}", std::process::id()));
    let start = Instant::now();
    let mut built = Experiment::parse("generated.toml", Path::new(""), text.as_bytes())?.build()?;
    let folder = Folder::open(&place, true)?;
    let stepping = Instant::now();
    let ending = built.session.run(|_, _| ControlFlow::Continue(()));
    let wall_s = stepping.elapsed().as_secs_f64();
    let report = document(&built, &ending, Clocked { wall_s });
    folder.write("trajectory.csv", |out| write_csv(&built.session, out))?;
    folder.write("trajectory.npz", |out| write_npz(&built.session, out))?;
    folder.write("report.json", |out| writeln!(out, "{report:#}"))?;
    let total = start.elapsed().as_secs_f64();
    // What was written was only to be timed.
    let _ = std::fs::remove_dir_all(&place);
    let segment = &built.session.segments()[0];
    let (rows, joints) = (segment.trajectory(), segment.model().joints());
    let within = rows.q.chunks_exact(joints.len().max(1)).all(|q| {
        q.iter().zip(joints).all(|(x, j)| j.lower.is_none_or(|l| *x >= l) && j.upper.is_none_or(|u| *x <= u))
    });
    let simulated = built.session.time(rows.rows - 1);
    let settled =
        if ending == Ending::Done { report["status"]["settled"].to_string() } else { format!("{ending:?}") };
    Ok(format!(
        "{} | {} | {} | {:.1} | {:.0} | {:.1} | {:.0} | {settled} | {within}",
        joints.len(),
        segment.model().frames().len(),
        rows.rows - 1,
        wall_s * 1e3,
        simulated / wall_s,
        total * 1e3,
        simulated / total,
    ))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "urdf") {
            files.push(path);
        }
    }
}
