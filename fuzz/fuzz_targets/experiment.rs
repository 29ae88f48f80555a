//! Any bytes as an experiment beside the robots of the tests: a session or an error; a short one is run.
#![no_main]

use articula::experiment::Experiment;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let robots = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/robots"));
    let built = Experiment::parse("f.toml", robots, bytes).and_then(|experiment| experiment.build());
    let Ok(mut built) = built else { return };
    if built.session.steps() > 10_000 {
        return;
    }
    let mut steps = 0;
    let _ = built.session.run(|_, _| {
        steps += 1;
        if steps > 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    articula::report::write_csv(&built.session, &mut Vec::new()).expect("a vector takes all");
});
