//! `report.html`: a run on one page, in one file that loads nothing from anywhere.
//!
//! | file | holds |
//! |---|---|
//! | `head` | verdicts and warnings |
//! | `figure`, `figure.js` | the stick figure: its data, and the script that moves it |
//! | `stage` | the markup around it: controls, legend, live table |
//! | `status` | what a gradient through the run is worth |
//! | `facts`, `table` | the lists of `report.json` |
//!
//! All text passes through maud, which escapes it; the run's data are JSON, in which `<` is written `\u003c`. The page
//! forbids its own loading of anything (Content-Security-Policy).

mod facts;
mod figure;
mod head;
mod stage;
mod status;
mod table;

use super::Plot;
use crate::experiment::Built;
use figure::Figure;
use maud::{DOCTYPE, PreEscaped, html};
use serde_json::Value;

/// Scripts and styles of the page itself, and nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("figure.js");

/// The page of a run: its [`document`](super::document) in words and tables, the plots, and the figure of its rows.
pub fn page(built: &Built, report: &Value, plots: &[Plot]) -> String {
    let ran_away = report["ending"]["kind"] == "not_finite";
    let figure = Figure::of(&built.session, ran_away);
    let title = format!("{} – articula run", built.experiment);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head::head(built, report))
                main {
                    (stage::stage(&figure))
                    @if !plots.is_empty() {
                        section #plots aria-labelledby="plots-title" {
                            h2 #plots-title { "Plots" }
                            @for plot in plots {
                                figure.plot id={ "plot-" (plot.name) } {
                                    figcaption { (plot.title) }
                                    div.scroll tabindex="0" { (PreEscaped(&plot.svg)) }
                                }
                            }
                        }
                    }
                    (status::status(report))
                    (facts::facts(built, report))
                }
                script #run type="application/json" { (PreEscaped(data(&figure))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

/// JSON that may stand in a `<script>`: no `<` in it.
fn data(figure: &Figure) -> String {
    // Names, numbers and lists of them: all of it can be written as JSON.
    serde_json::to_string(figure).unwrap_or_default().replace('<', "\\u003c")
}
