//! Any bytes as the CSV table a drive reads: a session or an error that names file and line.
#![no_main]

use articula::experiment::Experiment;
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::OnceLock;

const EXPERIMENT: &[u8] = b"[time]\nstep = 0.001\nduration = 0.01\n[chain.arm]\ndescription = \"r.urdf\"\n\
    rung = \"dynamic\"\ninitial_positions = [0.1]\n[drive]\n\"arm.swing\" = { table = \"t.csv\", column = \"c\" }\n";

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let folder = FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("articula-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("r.urdf"), include_bytes!("../../tests/robots/pendulum.urdf")).expect("a robot");
        folder
    });
    std::fs::write(folder.join("t.csv"), bytes).expect("a table");
    if let Err(error) = Experiment::parse("f.toml", folder, EXPERIMENT).and_then(|experiment| experiment.build()) {
        let message = error.to_string();
        assert!(message.contains("t.csv") || message.contains("column"), "{message}");
    }
});
