//! `report.html`: one file, whole, harmless, small, and true to the run. What a browser makes of it: `page_browser.rs`.

#![cfg(feature = "cli")]

#[path = "kit/page.rs"]
mod kit;

use articula::report::Plot;
use kit::{chain, demo, edges, made, robot};
use scraper::{Html, Selector};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

fn parsed(html: &str) -> Html {
    let page = Html::parse_document(html);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("a selector")).collect()
}

fn texts(page: &Html, selector: &str) -> Vec<String> {
    all(page, selector).iter().map(|e| e.text().collect::<String>()).collect()
}

fn data(page: &Html) -> Value {
    serde_json::from_str(&texts(page, "script#run")[0]).expect("JSON")
}

/// Claim: a browser loads nothing but the file. Method: a parser as browsers have it finds no error; no attribute that
/// loads has a value, no style or script asks for anything, and the page's own policy forbids what would be left.
#[test]
fn the_page_is_one_file() {
    let made = demo();
    let plot =
        Plot { name: "positions".into(), title: "q < 1".into(), svg: "<svg><path d=\"M0 0\"/></svg>".into() };
    let html = kit::with_plot(&made, plot);
    let page = parsed(&html);
    for element in all(&page, "*") {
        for loads in ["src", "href", "xlink:href", "srcset", "data", "poster", "action", "background"] {
            assert_eq!(element.value().attr(loads), None, "{loads} of {:?}", element.value());
        }
        assert!(!["link", "base", "iframe", "object", "embed"].contains(&element.value().name()));
    }
    for words in
        ["http:", "https:", "url(", "@import", "fetch(", "import(", "XMLHttpRequest", "WebSocket", "eval("]
    {
        assert!(!html.contains(words), "{words}");
    }
    let policy = all(&page, "meta[http-equiv=Content-Security-Policy]")[0].value().attr("content");
    assert!(policy.expect("a policy").starts_with("default-src 'none';"));
    assert_eq!(texts(&page, "#plots figcaption"), ["q < 1"]);
    assert_eq!(all(&page, "#plot-positions svg path").len(), 1);
    // In the order a person wants.
    let order: Vec<&str> =
        all(&page, "h1, #ending, #solver, #energy, .warning, #motion, #figure, #live, #plots, #facts")
            .iter()
            .filter_map(|e| e.value().id().or(e.value().classes().next()).or(Some(e.value().name())))
            .collect();
    assert_eq!(
        order,
        ["h1", "ending", "solver", "energy", "bad", "motion", "figure", "live", "plots", "facts"]
    );
}

/// Claim: names are text wherever they stand, and arrive as they were. Method: names that would close the element they
/// stand in, of robot, links, joints, chain and file.
#[test]
fn names_do_no_harm() {
    let evil = r#"</script><b>&"'<!--<script>"#;
    let escaped = evil.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let urdf = chain(2, 0.1, "revolute")
        .replace("\"j1\"", &format!("\"{escaped}j1\""))
        .replace("\"l1\"", &format!("\"{escaped}l1\""))
        .replace("\"chain\"", &format!("\"{escaped}\""));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("names.urdf"), urdf).expect("a file");
    let toml = "[time]\nstep = 0.001\nduration = 0.01\n[chain.\"<i>&\"]\ndescription = \"names.urdf\"\n\
                rung = \"dynamic\"\ninitial_positions = [0.0, 0.0]\n";
    let html = made("<img src=x>.toml", &folder, toml, usize::MAX).html;
    let page = parsed(&html);
    assert_eq!(all(&page, "script").len(), 2);
    assert!(all(&page, "b:not(.verdicts b), i, img").is_empty());
    assert_eq!(texts(&page, "#live tbody th"), [format!("{evil}j1"), "j2".into()]);
    assert_eq!(texts(&page, "h1"), ["Run of <img src=x>.toml"]);
    assert!(texts(&page, ".by")[0].contains(&format!("<i>&: robot {evil}")));
    let data = data(&page);
    assert_eq!(data["joints"][0]["name"], format!("{evil}j1"));
    assert_eq!(data["frames"][1]["name"], format!("{evil}l1"));
}

/// Claim: what the page holds is the trajectory, at the rows it says. Tolerance: half of the seventh digit; of places,
/// which are counted from the figure's middle, half of a ten-millionth of its radius besides.
#[test]
fn the_data_are_the_trajectory() {
    let made = demo();
    let data = data(&parsed(&made.html));
    let segment = &made.built.session.segments()[0];
    let (rows, model) = (segment.trajectory(), segment.model());
    let at: Vec<usize> = serde_json::from_value(data["at"].clone()).expect("rows");
    assert_eq!((at[0], at[at.len() - 1], at.len()), (0, 6000, 601));
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] == 10));
    assert_eq!((&data["step"], &data["rows"]), (&1e-3.into(), &6001.into()));

    let links: HashMap<&str, &str> =
        [("base_link", ""), ("shoulder", "base_link"), ("upper_arm", "shoulder"), ("forearm", "upper_arm")]
            .into();
    let frames = data["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), model.frames().len());
    for (frame, own) in frames.iter().zip(model.frames()) {
        assert_eq!(frame["name"], own.name);
        let parent =
            frame["parent"].as_u64().map_or("", |p| frames[p as usize]["name"].as_str().expect("a name"));
        if let Some(expected) = links.get(own.name.as_str()) {
            assert_eq!(parent, *expected, "{}", own.name);
        }
    }
    for (j, joint) in data["joints"].as_array().expect("joints").iter().enumerate() {
        let moved = joint["frame"].as_u64().expect("a frame") as usize;
        assert_eq!(
            (&joint["name"], model.frames()[moved].joint),
            (&model.joints()[j].name.as_str().into(), Some(j))
        );
        assert_eq!(joint["slides"], model.joints()[j].kind.slides());
        assert_eq!(frames[moved]["welded"], false);
    }

    let does: HashMap<&str, &str> = [
        ("slide-", "slides −"),
        ("slide+", "slides +"),
        ("free", "free"),
        ("stick", "stuck"),
        ("lower", "on its lower stop"),
        ("upper", "on its upper stop"),
    ]
    .into();
    let numbers = |value: &Value| -> Vec<f64> { serde_json::from_value(value.clone()).expect("numbers") };
    let (origin, radius) = (numbers(&data["origin"]), data["radius"].as_f64().expect("a radius"));
    let mut seen = std::collections::BTreeSet::new();
    for (sample, k) in data["samples"].as_array().expect("samples").iter().zip(&at) {
        let xyz = numbers(&sample["xyz"]);
        assert_eq!(xyz.len(), 3 * rows.frames);
        for (f, place) in xyz.chunks(3).enumerate() {
            for i in 0..3 {
                let true_one = rows.poses[k * rows.frames + f][i];
                let off = (origin[i] + place[i] - true_one).abs();
                assert!(off <= 5.01e-7 * place[i].abs() + 0.51e-7 * radius, "row {k}, frame {f}: {off}");
            }
            assert!(place.iter().map(|x| x * x).sum::<f64>().sqrt() <= radius * 1.000_001);
        }
        for (list, own) in [("q", &rows.q), ("v", &rows.v), ("told", &rows.input)] {
            for (shown, true_one) in numbers(&sample[list]).iter().zip(rows.of(own, *k)) {
                assert!((shown - true_one).abs() <= 5.01e-7 * true_one.abs(), "row {k}, {list}");
            }
        }
        for (letter, piece) in
            sample["does"].as_str().expect("letters").bytes().zip(rows.of(&rows.pieces, *k))
        {
            let words = &data["does"][usize::from(letter - b'a')][1];
            let expected = if *k == 0 { "start, nothing has acted" } else { does[piece.name()] };
            assert_eq!(words, expected, "row {k}");
            seen.insert(expected);
        }
    }
    assert!(seen.len() >= 6, "the run has something to tell apart: {seen:?}");
}

/// Claim: 12 joints and 20 000 steps stay below 2 MB, and so does a tree of 300 frames; the page says what is left out.
#[test]
fn pages_stay_small() {
    let long = robot("long", &chain(12, 0.1, "revolute"), 20_000, "", usize::MAX);
    assert!(long.html.len() < 2_000_000, "{}", long.html.len());
    let page = parsed(&long.html);
    assert!(texts(&page, "#hints")[0].contains("Thinned: 601 of 20001 rows are shown"));
    let at = data(&page)["at"].as_array().expect("rows").clone();
    assert_eq!((&at[0], &at[600]), (&0.into(), &20_000.into()));
    assert!(at.windows(2).all(|pair| pair[1].as_u64() > pair[0].as_u64()));

    let (_, many) = edges().into_iter().find(|(name, _)| *name == "many").expect("an edge");
    assert!(
        many.html.len() < 2_000_000
            && data(&parsed(&many.html))["frames"].as_array().expect("frames").len() == 300
    );
}

/// Claim: robots and runs at an edge make a whole page with a size to draw it in, all numbers finite. The last row of
/// the one that runs away is at the end of what a double holds.
#[test]
fn edges_are_drawn() {
    for (name, made) in edges() {
        let page = parsed(&made.html);
        let data = data(&page);
        let radius = data["radius"].as_f64().expect("a radius");
        let expected = match name {
            "one_link" | "one_point" => 1.0..=1.0,
            "huge" | "kinematic" => 1e6..=3e6,
            "tiny" => 1e-6..=3e-6,
            "far" => 0.05..=0.2,
            "not_finite" => 1e100..=1e308,
            _ => 0.1..=3.0,
        };
        assert!(expected.contains(&radius), "{name}: {radius}");
        assert!(!texts(&page, "script#run")[0].contains("null,\"v\""), "{name}");
        for sample in data["samples"].as_array().expect("samples") {
            for list in ["xyz", "q", "v", "told"] {
                assert!(
                    sample[list].as_array().expect("numbers").iter().all(Value::is_number),
                    "{name}: {list}"
                );
            }
        }
        let cut = texts(&page, "#ending b")[0] == "Cut short: ";
        assert_eq!(cut, ["one_row", "not_finite"].contains(&name), "{name}");
        let shown = data["at"].as_array().expect("rows").len();
        assert_eq!(shown == 1, name == "one_row", "{name}: {shown}");
        assert_eq!(all(&page, "#time[disabled]").len(), usize::from(shown == 1));
    }
}

/// Claim: a commanded joint beyond its limit says so; one within follows; one whose command stands still is at rest, and so
/// is a free joint that does not move at all.
#[test]
fn commanded_joints_say_what_they_do() {
    let (_, made) = edges().into_iter().find(|(name, _)| *name == "kinematic").expect("an edge");
    let data = data(&parsed(&made.html));
    let rows = made.built.session.segments()[0].trajectory();
    let mut seen = std::collections::BTreeSet::new();
    for (sample, k) in
        data["samples"].as_array().expect("samples").iter().zip(data["at"].as_array().expect("rows"))
    {
        let (k, letter) =
            (k.as_u64().expect("a row") as usize, sample["does"].as_str().expect("letters").as_bytes()[0]);
        let expected = match rows.of(&rows.input, k)[0] {
            _ if k == 0 => "start, nothing has acted",
            command if command > 2.0 => "held at its upper limit",
            command if command < -2.0 => "held at its lower limit",
            _ => "follows its command",
        };
        assert_eq!(data["does"][usize::from(letter - b'a')][1], expected, "row {k}");
        seen.insert(expected);
    }
    assert_eq!(seen.len(), 4);
    let held = data["samples"][600]["does"].as_str().expect("letters").as_bytes()[1];
    assert_eq!(data["does"][usize::from(held - b'a')][1], "at rest at its command");
    let (_, upright) = edges().into_iter().find(|(name, _)| *name == "one_point").expect("an edge");
    let data = self::data(&parsed(&upright.html));
    assert_eq!(data["samples"][9]["does"], "kkk");
    assert_eq!(data["does"][10], serde_json::json!(["still", "free, and at rest"]));
}

/// Claim: the tables say what `report.json` says, row by row. Numbers are compared to the six digits shown.
#[test]
fn the_tables_are_the_report() {
    let made = demo();
    let page = parsed(&made.html);
    let arm = &made.report["segments"]["arm"];
    let table = |title: &str| -> Vec<Vec<String>> {
        let details = all(&page, "details").into_iter();
        let cells = Selector::parse("th, td").expect("a selector");
        let found = details.filter(|d| {
            let heading = Selector::parse("summary").expect("a selector");
            d.select(&heading).any(|s| s.text().collect::<String>().starts_with(title))
        });
        let rows = Selector::parse("tbody tr").expect("a selector");
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), 1, "{title}");
        found[0].select(&rows).map(|r| r.select(&cells).map(|c| c.text().collect()).collect()).collect()
    };
    let joints = table("Joints of arm");
    assert_eq!(joints.len(), 7);
    for (row, joint) in joints.iter().zip(arm["joints"].as_array().expect("joints")) {
        assert_eq!(row[0], joint["name"].as_str().expect("a name"));
        for (cell, key) in [(4, "lower"), (5, "upper"), (8, "friction"), (9, "damping"), (10, "armature")] {
            let shown: f64 = row[cell].replace('−', "-").parse().expect("a number");
            let own = joint[key].as_f64().expect("a number");
            assert!((shown - own).abs() <= 1e-5 * own.abs(), "{row:?}: {key}");
        }
        assert_eq!(row[11], joint["armature_source"].as_str().expect("a source"));
        let stuck = made.report["status"]["stuck_fraction"][&row[0]].as_f64().expect("a fraction");
        assert_eq!(row[12], format!("{:.1} %", 100.0 * stuck));
    }
    let settings = arm["settings"].as_array().expect("settings");
    assert_eq!(table("All settings of arm").len(), settings.len());
    let defaults: Vec<&str> = settings
        .iter()
        .filter(|s| s["source"] == "default")
        .map(|s| s["name"].as_str().expect("a name"))
        .collect();
    let taken: Vec<String> = table("Settings of arm taken by default").iter().map(|r| r[0].clone()).collect();
    assert_eq!(taken, defaults);
    let switches = table("Switches of arm");
    for (row, switch) in switches.iter().zip(arm["switches"].as_array().expect("switches")) {
        assert_eq!(
            (row[0].as_str(), row[1].as_str()),
            (switch["name"].as_str().unwrap_or(""), switch["indicator"].as_str().unwrap_or(""))
        );
        assert!(row[3].contains("frame_poses 0") && row[4] == switch["route"].as_str().expect("a route"));
    }
    assert_eq!(switches.len(), 4);
    let status = &made.report["status"];
    let group = &status["groups"]["joint_positions"];
    let near = group["near"].as_array().expect("a list");
    let rows = all(&page, "#status tbody tr").len();
    assert_eq!(rows, status["groups"].as_object().expect("groups").len() + near.len());
    assert_eq!(texts(&page, "#observed"), [status["observed"].as_str().expect("a word")]);
    let told = &texts(&page, "#gradient")[0];
    assert!(told.contains(status["text"].as_str().expect("a sentence")), "{told}");
    assert_eq!(table("Masses of arm").len(), arm["masses"].as_array().expect("masses").len());
    let file = &arm["description"];
    let lists = file["not_used"].as_array().expect("a list").len()
        + file["acknowledged"].as_array().expect("a list").len();
    assert_eq!(table("Robot file of arm").len(), lists);
    let ledger = table("Energy ledger");
    let work: f64 = ledger[4][1].replace('−', "-").parse().expect("a number");
    assert!((work - made.report["energy"]["work"]["effort"].as_f64().expect("a number")).abs() < 1e-3);
    let beyond = made.report["flags"]["arm.beyond_speed_limit"].as_array().expect("flags");
    assert_eq!(table("arm.beyond_speed_limit").len(), beyond.len());
    let warning = &texts(&page, ".warning")[0];
    assert!(warning.contains(&format!("{} joints of arm beyond speed limit", beyond.len())), "{warning}");
    assert!(warning.contains("shoulder_pan first at 0.733 s"), "{warning}");
}

/// Claim: a run that did not settle shows it at the top. Method: no sweep at all, which leaves a residual.
#[test]
fn what_did_not_settle_is_seen() {
    let urdf = chain(3, 0.3, "revolute").replace("damping=\"0.5\"", "damping=\"0.5\" friction=\"0.7\"");
    let made = robot(
        "sweeps",
        &urdf,
        200,
        "solver = { sweeps = 0 }\n[drive]\n\"arm.j1\" = { constant = 30.0 }\n",
        usize::MAX,
    );
    let unsettled = &made.report["solver"]["unsettled_steps"];
    assert!(unsettled.as_u64() > Some(0), "{unsettled}");
    let page = parsed(&made.html);
    assert!(
        texts(&page, "#solver.bad")[0].starts_with(&format!("Not settled: {unsettled} steps did not settle"))
    );
    assert!(texts(&page, "#gradient.bad")[0].starts_with("Gradient: unsettled: "));
}

/// Claim: `run` and `demo` write the page; `--no-page` leaves it out.
#[test]
fn commands_write_it_unless_told_not_to() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page/commands");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    let articula = |arguments: &[&str]| {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_articula"))
            .current_dir(&folder)
            .args(arguments)
            .output()
            .expect("the command runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    assert!(articula(&["demo", "--out", "a"]).contains("a/report.html"));
    assert!(!articula(&["demo", "--out", "b", "--no-page"]).contains("report.html"));
    articula(&["run", "a/demo.toml", "--out", "c"]);
    articula(&["run", "a/demo.toml", "--out", "d", "--no-page"]);
    let there = ["a", "b", "c", "d"].map(|name| folder.join(name).join("report.html").exists());
    assert_eq!(there, [true, false, true, false]);
    let html = std::fs::read_to_string(folder.join("c/report.html")).expect("a page");
    assert_eq!(texts(&parsed(&html), "h1"), ["Run of a/demo.toml"]);
}
