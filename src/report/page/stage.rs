//! What stands around the stick figure: controls, legend, the table of joints at the time shown.

use super::figure::{Figure, Joint};
use maud::{Markup, html};

/// Speeds of play, times real time; the last is the whole run in ten seconds.
const SPEEDS: [(&str, &str); 7] = [
    ("0.1", "0.1 ×"),
    ("0.25", "0.25 ×"),
    ("0.5", "0.5 ×"),
    ("1", "real time"),
    ("2", "2 ×"),
    ("4", "4 ×"),
    ("whole", "all in 10 s"),
];

/// What a joint does, as it is drawn, and in the legend.
const KINDS: [(&str, &str); 4] = [
    ("moving", "moves"),
    ("stuck", "stuck"),
    ("stopped", "on a stop"),
    ("still", "at rest, and free to move"),
];

/// The figure without what its script draws.
pub(super) fn stage(figure: &Figure) -> Markup {
    let last = figure.at.len().saturating_sub(1);
    html! {
        section #motion aria-labelledby="motion-title" {
            h2 #motion-title { "Motion" }
            noscript { p.bad { "The figure needs the page's own script, which this browser does not run." } }
            div.stage {
                div.view {
                    svg #figure tabindex="0" role="img" aria-label="Stick figure of the robot" aria-describedby="hints" {
                        path.grid {} path.shadow {} path.welds {} path.links {} path.frames {}
                        g.marks {} g.labels {}
                        g.triad {}
                        path.scale {} text.scale {}
                    }
                    div.play {
                        button #play type="button" aria-label="Play" { "▶" }
                        input #time type="range" min="0" max=(last) value="0" step="1" aria-label="Time" disabled[last == 0];
                        output #now for="time" {}
                    }
                    div.play {
                        label { "Speed " select #speed {
                            @for (value, name) in SPEEDS { option value=(value) selected[value == "1"] { (name) } }
                        } }
                        span.views role="group" aria-label="View" {
                            @for view in ["3D", "front", "side", "top"] { button type="button" data-view=(view) { (view) } }
                            button type="button" data-zoom="1.25" aria-label="Zoom in" { "+" }
                            button type="button" data-zoom="0.8" aria-label="Zoom out" { "−" }
                        }
                    }
                    (legend())
                    p.small #hints {
                        "Drag to turn, shift-drag to move, wheel to zoom. Space plays and pauses, ← and → step, "
                        "shift with arrows turns. " span #grid {} " " (thinned(figure))
                    }
                }
                @if !figure.joints.is_empty() { (live(figure)) }
            }
        }
    }
}

/// Marks tell kind by shape, and what a joint does by colour and by a sign inside.
fn legend() -> Markup {
    html! {
        ul.legend aria-label="Legend" {
            @for (class, words) in KINDS {
                li { (mark(false, class)) (words) }
            }
            li { "Hinges are round, slides square." }
        }
    }
}

/// A joint's mark, as the script draws them in the figure.
fn mark(slides: bool, class: &str) -> Markup {
    html! {
        svg.key viewBox="-10 -10 20 20" aria-hidden="true" {
            g class={ "joint " (class) } {
                @if slides { rect.mark x="-6" y="-6" width="12" height="12" {} } @else { circle.mark r="6.5" {} }
                path.dash d="M-3.5 0H3.5" {}
                path.cross d="M-3-3L3 3M-3 3L3-3" {}
            }
        }
    }
}

fn thinned(figure: &Figure) -> String {
    let (shown, rows) = (figure.at.len(), figure.rows);
    if shown == rows {
        return format!("All {rows} rows of the run are shown.");
    }
    format!(
        "Thinned: {shown} of {rows} rows are shown, evenly spread, to seven digits; what happened between them is in \
         trajectory.csv."
    )
}

fn live(figure: &Figure) -> Markup {
    let several = figure.joints.iter().any(|j| j.segment != figure.joints[0].segment);
    let name = |joint: &Joint| {
        if several { format!("{}.{}", joint.segment, joint.name) } else { joint.name.to_owned() }
    };
    html! {
        div.scroll.live tabindex="0" {
            table #live {
                caption { "Joints at " span #live-time { "the time shown" } }
                thead { tr {
                    th scope="col" { abbr title="number in the figure" { "#" } }
                    @for heading in ["joint", "position", "velocity", "effort or command", "does"] { th scope="col" { (heading) } }
                } }
                tbody {
                    @for (j, joint) in figure.joints.iter().enumerate() {
                        tr {
                            td.number { (j + 1) }
                            th scope="row" { (mark(joint.slides, "still")) (name(joint)) }
                            td.number {} td.number {} td.number {} td {}
                        }
                    }
                }
            }
        }
    }
}
