//! Any text as `--acknowledge`: an answer to what it names, or an error.
#![no_main]

use articula::description::{Acknowledgement, Description};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static ROBOT: OnceLock<Description> = OnceLock::new();

fuzz_target!(|text: &str| {
    let robot = ROBOT.get_or_init(|| {
        let urdf = include_bytes!("../../tests/fixtures/urdf/refused.urdf");
        Description::parse("r.urdf", urdf).expect("a robot")
    });
    match Acknowledgement::parse(text) {
        Ok(one) => {
            assert!(!one.element.is_empty() && !one.reason.is_empty());
            let error = robot.acknowledge(&[one]).expect_err("more than one thing is refused");
            assert!(!error.to_string().is_empty());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
