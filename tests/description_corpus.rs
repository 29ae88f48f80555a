//! Claims about robot files people publish: read where the corpus is at hand, and passed over with a word elsewhere.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use articula::description::{Inspection, JointKind};

/// The robot files of the corpus, or none where it is not at hand.
fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/urdf");
    let Ok(robots) = std::fs::read_dir(&folder) else {
        eprintln!("no corpus at {}: passed over", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = robots
        .flatten()
        .filter(|robot| robot.path().is_dir())
        .flat_map(|robot| std::fs::read_dir(robot.path()).expect("a readable folder").flatten())
        .map(|file| file.path())
        .filter(|file| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("urdf")))
        .collect();
    files.sort();
    files
}

/// Every element and attribute has exactly one entry, at a path and place of its own, with a reason; no file panics;
/// what is not an error is a description, and all that is refused in it, planar joints apart, can be acknowledged.
/// Counted by roxmltree's own walk.
#[test]
fn every_element_of_every_file_is_accounted_for() {
    let mut table = BTreeMap::new();
    for file in corpus() {
        let bytes = std::fs::read(&file).expect("a readable file");
        let inspection = Inspection::parse(&file.display().to_string(), &bytes);
        let codes: Vec<&str> = inspection.errors.iter().map(|fault| fault.code).collect();
        let text = String::from_utf8(bytes).expect("the corpus is UTF-8");
        match roxmltree::Document::parse(&text) {
            Err(_) => assert!(inspection.account.is_none() && !codes.is_empty(), "{}", file.display()),
            Ok(doc) => {
                let account = inspection.account.as_ref().expect("an account of what is XML");
                let elements = doc.descendants().filter(|node| node.is_element());
                let attributes: usize = elements.clone().map(|node| node.attributes().len()).sum();
                assert_eq!(account.elements.len(), elements.count(), "{}", file.display());
                assert_eq!(account.attributes.len(), attributes, "{}", file.display());
                let paths: HashSet<&str> = account.entries().map(|entry| entry.path.as_str()).collect();
                assert_eq!(paths.len(), account.entries().count(), "{}", file.display());
                assert!(account.entries().all(|entry| !entry.reason.is_empty() && entry.line > 0));
            }
        }
        *table.entry(codes.first().copied().unwrap_or("ok")).or_insert(0) += 1;
        let name = file.display();
        match inspection.description() {
            Err(_) => assert!(!codes.is_empty(), "{name}"),
            Ok(robot) => {
                assert!(codes.is_empty(), "{name}");
                let planar = robot.joints.iter().any(|joint| joint.kind == JointKind::Planar);
                assert_eq!(robot.acknowledge_all("a test").is_err(), planar, "{name}");
            }
        }
    }
    println!("files by their first error: {table:?}");
}
