//! The stick figure in a browser: it is where the trajectory says, moves when it should, and only then.
//!
//! `ARTICULA_BROWSER=/usr/bin/chromium cargo test --test page_browser -- --ignored`

#![cfg(feature = "cli")]

#[path = "kit/browser.rs"]
mod browser;
#[path = "kit/page.rs"]
mod kit;

use browser::Browser;
use kit::{Page, demo, edges};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Pixels: the page writes hundredths, and its data have seven digits of a figure of some hundred pixels.
const TOLERANCE: f64 = 0.02;

/// Writes a page into a file; its address.
fn address(name: &str, page: &Page) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page_browser");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.html"));
    std::fs::write(&path, &page.html).expect("a file");
    format!("file://{}", path.display())
}

fn row(browser: &mut Browser) -> usize {
    let shown = browser.evaluate("document.getElementById('figure').dataset.row");
    shown.as_str().expect("a row").parse().expect("a number")
}

/// Every joint is drawn where its frame was at the row shown, as the camera looks, and in the class of its piece; and
/// every link ends where its frame was. The camera's numbers are the page's, the projection is ours. The row.
fn is_as_it_was(browser: &mut Browser, page: &Page) -> usize {
    let seen = browser.evaluate(
        "(() => { const svg = document.getElementById('figure'); \
         const data = JSON.parse(document.getElementById('run').textContent); \
         return { camera: ['azimuth', 'elevation', 'scale', 'x', 'y', 'row'].map(k => +svg.dataset[k]), \
           origin: data.origin, frames: svg.querySelector('.frames').getAttribute('d'), \
           joints: [...svg.querySelectorAll('.marks > g')].map(g => [g.dataset.joint, g.getAttribute('class'), \
             g.transform.baseVal[0].matrix.e, g.transform.baseVal[0].matrix.f]) }; })()",
    );
    let numbers = |key: &str| -> Vec<f64> { serde_json::from_value(seen[key].clone()).expect("numbers") };
    let (camera, origin) = (numbers("camera"), numbers("origin"));
    let k = camera[5] as usize;
    let segment = &page.built.session.segments()[0];
    let (rows, model) = (segment.trajectory(), segment.model());
    let (sin_a, cos_a) = camera[0].sin_cos();
    let (sin_e, cos_e) = camera[1].sin_cos();
    let drawn = |frame: usize| -> [f64; 2] {
        let pose = &rows.poses[k * rows.frames + frame];
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| pose[i] - origin[i]);
        let right = cos_a * y - sin_a * x;
        let up = cos_e * z - sin_e * (cos_a * x + sin_a * y);
        [camera[3] + camera[2] * right, camera[4] - camera[2] * up]
    };
    let near = |a: f64, b: f64| (a - b).abs() < TOLERANCE;
    let joints = seen["joints"].as_array().expect("joints");
    assert_eq!(joints.len(), rows.joints);
    for (j, joint) in joints.iter().enumerate() {
        assert_eq!(joint[0], model.joints()[j].name);
        let frame = model.frames().iter().position(|f| f.joint == Some(j)).expect("a frame");
        let [x, y] = drawn(frame);
        let (found_x, found_y) = (joint[2].as_f64().expect("x"), joint[3].as_f64().expect("y"));
        assert!(near(found_x, x) && near(found_y, y), "row {k}: {joint} instead of {x}, {y}");
        let kind = match rows.of(&rows.pieces, k)[j].name() {
            _ if k == 0 => "still",
            "free" if rows.of(&rows.v, k)[j] == 0.0 => "still",
            "stick" => "stuck",
            "lower" | "upper" => "stopped",
            _ => "moving",
        };
        let kinematic = segment.rung().name() == "kinematic";
        assert!(kinematic || joint[1] == format!("joint {kind}"), "row {k}: {joint} instead of {kind}");
    }
    let frames = seen["frames"].as_str().expect("a path");
    let frames: Vec<&str> = frames.split('M').skip(1).collect();
    assert_eq!(frames.len(), rows.frames);
    for (f, place) in frames.iter().enumerate() {
        let (x, y) = place.trim_end_matches("h0.01").split_once(' ').expect("two numbers");
        let (x, y): (f64, f64) = (x.parse().expect("x"), y.parse().expect("y"));
        let expected = drawn(f);
        assert!(
            near(x, expected[0]) && near(y, expected[1]),
            "row {k}, frame {f}: {place} instead of {expected:?}"
        );
    }
    k
}

/// Claim: at any time asked for, joints and frames stand where the trajectory says and in the class of their piece, and
/// the table says the numbers of that row; so they do after turning and zooming by mouse.
#[test]
#[ignore = "needs a browser: ARTICULA_BROWSER=/usr/bin/chromium"]
fn the_figure_is_the_trajectory() {
    let page = demo();
    let address = address("demo", &page);
    let mut browser = Browser::open("still");
    let rows = page.built.session.segments()[0].trajectory();
    for (time, expected) in [("0", 0), ("2", 2000), ("5", 5000), ("3.1416", 3140), ("99", 6000)] {
        browser.load(&format!("{address}#t={time}"));
        assert_eq!(is_as_it_was(&mut browser, &page), expected);
        let cells = browser
            .evaluate("[...document.getElementById('live').tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))");
        for (j, row) in cells.as_array().expect("rows").iter().enumerate() {
            for (cell, list) in [(2, &rows.q), (3, &rows.v), (4, &rows.input)] {
                let text = row[cell].as_str().expect("text");
                let (number, unit) = text.split_once(' ').expect("a unit");
                let shown: f64 = number.replace('−', "-").parse().expect("a number");
                let own = rows.of(list, expected)[j];
                assert!((shown - own).abs() <= 0.51e-4 && !unit.is_empty(), "{row}: {own}");
            }
            let stuck = rows.of(&rows.pieces, expected)[j].name() == "stick" && expected > 0;
            assert_eq!(row[5] == "stuck", stuck, "{row}");
        }
        let now = browser.evaluate("document.getElementById('now').textContent");
        assert_eq!(now, format!("{:.3} s of 6.000 s", expected as f64 * 1e-3));
    }

    let camera = |browser: &mut Browser| {
        let of = "['azimuth', 'elevation', 'scale', 'x', 'y'].map(k => +document.getElementById('figure').dataset[k])";
        serde_json::from_value::<[f64; 5]>(browser.evaluate(of)).expect("numbers")
    };
    browser.load(&format!("{address}#t=2"));
    let before = camera(&mut browser);
    let (x, y) = browser.place("#figure", 0.4, 0.4);
    let (x, y) = (x.round(), y.round()); // as mouse events count
    browser.mouse("mousePressed", (x, y), 0.0);
    for part in 1..=5 {
        browser.mouse("mouseMoved", (x + 16.0 * f64::from(part), y + 6.0 * f64::from(part)), 0.0);
    }
    browser.mouse("mouseReleased", (x + 80.0, y + 30.0), 0.0);
    let turned = camera(&mut browser);
    assert!(
        (before[0] - turned[0] - 0.8).abs() < 1e-9 && (turned[1] - before[1] - 0.3).abs() < 1e-9,
        "{turned:?}"
    );
    assert_eq!(is_as_it_was(&mut browser, &page), 2000);
    browser.mouse("mouseMoved", (x, y), 0.0);
    assert_eq!(camera(&mut browser), turned, "let go");
    browser.mouse("mouseWheel", (x, y), -200.0);
    let larger = browser.wait("a larger figure", |b| Some(camera(b)).filter(|c| c[2] > turned[2]));
    let factor = larger[2] / turned[2];
    assert!((factor - 0.3_f64.exp()).abs() < 1e-6, "{larger:?}");
    // What is under the pointer stays there.
    let corner = "(e => (b => [b.left + e.clientLeft, b.top + e.clientTop])(e.getBoundingClientRect()))\
                  (document.getElementById('figure'))";
    let corner = browser.evaluate(corner);
    let corner: [f64; 2] = serde_json::from_value(corner).expect("numbers");
    for (at, i) in [(x - corner[0], 3), (y - corner[1], 4)] {
        assert!((at + (turned[i] - at) * factor - larger[i]).abs() < 1e-6, "{turned:?} {larger:?}");
    }
    assert_eq!(is_as_it_was(&mut browser, &page), 2000);
    browser.click("[data-view=top]", 0.5);
    assert!((camera(&mut browser)[1] - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert_eq!(is_as_it_was(&mut browser, &page), 2000);
    assert_eq!(browser.faults, Vec::<String>::new());
}

/// Claim: play moves it at the speed chosen, by button, key and address; pause stops it; scrubbing and arrows move it; at
/// the end it stops. Speeds are measured on the page's own clock, over a second or two, to a tenth: a picture may
/// come late.
#[test]
#[ignore = "needs a browser: ARTICULA_BROWSER=/usr/bin/chromium"]
fn playing_moves_it_and_pause_stops_it() {
    let page = demo();
    let address = address("play", &page);
    let mut browser = Browser::open("play");
    browser.load(&format!("{address}#t=0"));
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(row(&mut browser), 0, "it waits to be played");

    browser.key(" ", "Space", 32);
    let moved = browser.wait("it moves", |b| Some(row(b)).filter(|k| *k > 100));
    browser.wait("it goes on", |b| Some(row(b)).filter(|k| *k > moved + 100));
    browser.key(" ", "Space", 32);
    let stopped = is_as_it_was(&mut browser, &page);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(row(&mut browser), stopped, "paused");

    browser.click("#play", 0.5);
    browser.wait("it moves again", |b| Some(row(b)).filter(|k| *k > stopped + 100));
    browser.click("#play", 0.5);
    let stopped = is_as_it_was(&mut browser, &page);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(row(&mut browser), stopped, "paused by the button");

    browser.click("#time", 0.75);
    let scrubbed = is_as_it_was(&mut browser, &page);
    assert!((4300..4700).contains(&scrubbed), "{scrubbed}");
    browser.evaluate("document.getElementById('figure').focus()");
    browser.key("ArrowRight", "ArrowRight", 39);
    assert_eq!(is_as_it_was(&mut browser, &page), scrubbed + 10);
    for _ in 0..3 {
        browser.key("ArrowLeft", "ArrowLeft", 37);
    }
    assert_eq!(is_as_it_was(&mut browser, &page), scrubbed - 20);

    for (speed, seconds) in [("0.1", 2.0), ("1", 1.0), ("4", 1.0)] {
        browser.load(&format!("{address}#t=0"));
        browser.evaluate(&format!("document.getElementById('speed').value = {speed:?}"));
        // The times at which a row came up: a browser that is late with a picture shows a later row.
        browser.evaluate(
            "window.seen = []; new MutationObserver(() => seen.push([performance.now() / 1000, \
             +document.getElementById('figure').dataset.row / 1000])) \
             .observe(document.getElementById('figure'), { attributeFilter: ['data-row'] })",
        );
        browser.key(" ", "Space", 32);
        let (start, end) = browser.wait("some time", |b| {
            let seen: Vec<[f64; 2]> = serde_json::from_value(b.evaluate("seen")).expect("numbers");
            let (start, end) = (*seen.iter().find(|x| x[1] > 0.0)?, *seen.last()?);
            (end[0] - start[0] >= seconds).then_some((start, end))
        });
        let (found, set) =
            ((end[1] - start[1]) / (end[0] - start[0]), speed.parse::<f64>().expect("a number"));
        assert!((found / set - 1.0).abs() < 0.1, "{found} at {speed}");
    }

    browser.load(&format!("{address}#t=5.9"));
    browser.evaluate("document.getElementById('speed').value = '4'");
    browser.key(" ", "Space", 32);
    browser.wait("the end", |b| (row(b) == 6000).then_some(()));
    browser.wait("it stops by itself", |b| {
        (b.evaluate("document.getElementById('play').getAttribute('aria-label')") == "Play").then_some(())
    });
    browser.load(&format!("{address}#play"));
    browser.wait("it plays from the address", |b| Some(row(b)).filter(|k| *k > 100));
    assert_eq!(browser.faults, Vec::<String>::new());
}

/// Claim: robots and runs at an edge are drawn: joints where they were (but for the one that runs away), inside the
/// picture, no number that is none, no exception. And on a phone's width no page is wider than the phone.
#[test]
#[ignore = "needs a browser: ARTICULA_BROWSER=/usr/bin/chromium"]
fn edges_are_drawn_and_phones_fit() {
    let mut browser = Browser::open("edges");
    for width in [1280_u64, 400] {
        let size =
            serde_json::json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        for (name, page) in edges().into_iter().chain([("demo", demo())]) {
            browser.load(&format!("{}#t=9", address(name, &page)));
            let last = page.built.session.rows() - 1;
            if name == "not_finite" {
                assert!(row(&mut browser) > 0);
            } else {
                assert_eq!(is_as_it_was(&mut browser, &page), last, "{name}");
            }
            let picture = browser.evaluate("document.getElementById('figure').outerHTML");
            for words in ["NaN", "Infinity", "undefined", "null"] {
                assert!(!picture.as_str().expect("text").contains(words), "{name}: {words}");
            }
            let inside = "(() => { const svg = document.getElementById('figure'), b = svg.viewBox.baseVal; \
                          return [...svg.querySelectorAll('.marks > g')].every(g => { const m = g.transform.baseVal[0].matrix; \
                          return m.e > 0 && m.e < b.width && m.f > 0 && m.f < b.height; }) })()";
            assert!(name == "not_finite" || browser.evaluate(inside) == Value::Bool(true), "{name}");
            // Not `innerWidth`, which grows with what does not fit.
            let wide = browser.evaluate("document.documentElement.scrollWidth").as_u64();
            assert!(wide.expect("a width") <= width, "{name}: {wide:?} px on {width}");
        }
    }
    assert_eq!(browser.faults, Vec::<String>::new());
}
