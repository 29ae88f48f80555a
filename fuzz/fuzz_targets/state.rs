//! Any bytes as the states of `eval`: answers or an error.
#![no_main]

use articula::description::Description;
use articula::model::Model;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static ROBOT: OnceLock<Model<f64>> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let robot = ROBOT.get_or_init(|| {
        let urdf = include_bytes!("../../tests/robots/double_pendulum.urdf");
        let description = Description::parse("r.urdf", urdf).expect("a robot");
        Model::from_description(&description.acknowledge(&[]).expect("nothing refused")).expect("a machine")
    });
    if let Err(error) = articula::cli::answers(robot, "f.json", bytes, &[]) {
        assert!(error.to_string().starts_with("f.json"), "{error}");
    }
});
