//! Records for people.

use super::record::{Law, Port};
use std::fmt::Write;

const HEAD: &str = "# Laws

Every law of this version as the registry has it: symbols with their units and the Rust item that implements each, equations, assumptions,
limitations, switches. Made by `articula registry --markdown`; do not edit it here, but in `src/registry/laws`.
[equations.md](equations.md) tells how the laws are solved, [notation.md](notation.md) has the conventions, [switches.md](switches.md) the ties.
";

/// The page of all laws.
pub fn page(laws: &[&Law]) -> String {
    let mut text = format!("{HEAD}\n| law | version | what | derivative |\n|---|---|---|---|\n");
    for law in laws {
        let cells = (law.name, law.version, law.title, law.derivative());
        let _ = writeln!(text, "| [`{0}`](#{0}) | {1} | {2} | `{3}` |", cells.0, cells.1, cells.2, cells.3);
    }
    for law in laws {
        let _ = write!(text, "\n{}", section(law));
    }
    text
}

/// One record.
pub fn section(law: &Law) -> String {
    let mut text = format!("## {}\n\n**{}.** {}\n", law.name, law.title, law.summary);
    let _ = writeln!(
        text,
        "\nVersion {}. Derivative: `{}`. Computed by `{}`.",
        law.version,
        law.derivative(),
        law.item
    );
    if !law.equations.is_empty() {
        let _ = writeln!(text, "\n```text\n{}\n```", law.equations.join("\n"));
    }
    if !law.discretisation.is_empty() {
        let _ = writeln!(text, "\n*In time.* {}", law.discretisation);
    }
    symbols(law, &mut text);
    switches(law, &mut text);
    settings(law, &mut text);
    for (title, items) in
        [("Assumptions", law.assumptions), ("Limitations", law.limitations), ("Limits", law.limits)]
    {
        list(title, items, &mut text);
    }
    let checks = law.validity.iter().map(|check| format!("{}: `{}`", check.claim, check.tests.join("`, `")));
    list("Checked", &checks.collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>(), &mut text);
    facts(law, &mut text);
    list("References", law.references, &mut text);
    let history: Vec<String> =
        law.history.iter().map(|(version, what)| format!("{version}: {what}")).collect();
    list("Versions", &history.iter().map(String::as_str).collect::<Vec<_>>(), &mut text);
    text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn symbols(law: &Law, text: &mut String) {
    if law.symbols.is_empty() {
        return;
    }
    text.push_str("\n| symbol | kind | name | unit | implemented by |\n|---|---|---|---|---|\n");
    for s in law.symbols {
        let kind = format!("{:?}", s.kind).to_lowercase();
        let _ = writeln!(
            text,
            "| `{}` | {kind} | {} | {} | `{}` |",
            cell(s.symbol),
            cell(s.name),
            s.units,
            s.item
        );
    }
}

fn switches(law: &Law, text: &mut String) {
    if law.switches.is_empty() {
        return;
    }
    text.push_str(
        "\n| switch | indicator | unit | orders | route to an exact derivative |\n|---|---|---|---|---|\n",
    );
    for s in law.switches {
        let orders: Vec<String> = s.orders.iter().map(|(group, order)| format!("{group} {order}")).collect();
        let (name, orders) = (s.name, orders.join(", "));
        let _ = writeln!(
            text,
            "| `{name}` | {} | {} | {orders} | {} |",
            cell(s.indicator),
            s.unit,
            cell(s.route)
        );
    }
}

fn settings(law: &Law, text: &mut String) {
    if law.settings.is_empty() {
        return;
    }
    text.push_str("\n| setting | unit | role | default | its kind | basis |\n|---|---|---|---|---|---|\n");
    for r in law.rules() {
        let (role, kind) = (format!("{:?}", r.role).to_lowercase(), format!("{:?}", r.kind).to_lowercase());
        let [unit, default, basis] = [r.unit, r.default, r.basis].map(or_dash);
        let _ = writeln!(text, "| `{}` | {unit} | {role} | {default} | {kind} | {basis} |", r.key);
    }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

fn list(title: &str, items: &[&str], text: &mut String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}:\n");
    for item in items {
        let _ = writeln!(text, "- {item}");
    }
}

/// What fits in a line each.
fn facts(law: &Law, text: &mut String) {
    let ports = |ports: &[Port]| {
        ports.iter().map(|p| format!("`{}` ({})", p.name, p.units)).collect::<Vec<_>>().join(", ")
    };
    let words = |words: &[&str]| words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    let nodes = |nodes: &[&str]| match nodes {
        [] => String::new(),
        [""] => "the segment itself".into(),
        several => words(several),
    };
    // What becomes a part of a run has a base of its own, and says so where nothing is registered for it.
    let segment = !law.nodes.is_empty();
    let moving = match (law.moving, segment) {
        (true, _) => "yes",
        (false, true) => "no",
        (false, false) => "",
    };
    let registered = match words(law.registration_kinds) {
        kinds if kinds.is_empty() && segment => "none".into(),
        kinds => kinds,
    };
    let lines = [
        ("Applies to", law.applies_to.join(", ")),
        ("Accepts", ports(law.accepts)),
        ("Publishes", ports(law.publishes)),
        ("Starts from", ports(law.initial_state)),
        ("Flags", words(law.flags)),
        ("Raises", words(law.raises)),
        ("Nodes", nodes(law.nodes)),
        ("Base moves", moving.into()),
        ("Registered by name", registered),
    ];
    if lines.iter().any(|(_, line)| !line.is_empty()) {
        text.push('\n');
    }
    for (title, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        let _ = writeln!(text, "- {title}: {line}");
    }
}
