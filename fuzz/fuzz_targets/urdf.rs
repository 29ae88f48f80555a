//! Any bytes as a robot file: an account or faults, then the machine and one evaluation of it.
#![no_main]

use articula::description::Inspection;
use articula::model::Model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let inspection = Inspection::parse("f.urdf", bytes);
    assert!(inspection.errors.iter().all(|fault| fault.code != "readers_disagree"), "{:?}", inspection.errors);
    let _ = inspection.to_json();
    let sound = inspection.errors.is_empty();
    let description = match inspection.description() {
        Ok(description) => description,
        Err(error) => {
            assert!(!sound && !error.to_string().is_empty());
            return;
        }
    };
    let Ok(acknowledged) = description.acknowledge_all("fuzzed") else { return };
    let Ok(model) = Model::from_description(&acknowledged) else { return };
    // Matrices grow with the square of the joints: that is not what is looked for here.
    if model.joints().len() < 50 && model.frames().len() < 200 {
        articula::cli::answers(&model, "f.json", b"{}", &[]).expect("zero is a state of every machine");
    }
});
