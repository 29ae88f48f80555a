//! A plot read back: what stands where, by the labels of its own ticks.

use articula::report::Plot;
use roxmltree::{Document, Node};

/// A line: parts between gaps, each its points in pixels.
pub type Parts = Vec<Vec<(f64, f64)>>;

/// One panel of a plot, in pixels of its field.
pub struct Panel {
    pub joint: String,
    pub aspect: String,
    /// The text that shows where a pointer rests on it.
    pub title: String,
    /// The line above it.
    pub head: String,
    pub texts: Vec<String>,
    /// Where its field is on the page, and its size.
    pub at: (f64, f64),
    pub width: f64,
    pub height: f64,
    /// Where an axis is no longer linear.
    pub within: Option<f64>,
    paths: Vec<(String, String)>,
    ticks: Vec<(f64, f64)>,
    times: Vec<(f64, f64)>,
}

fn number(text: &str) -> f64 {
    text.replace('\u{2212}', "-").parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// The panels of a plot.
pub fn panels(plot: &Plot) -> Vec<Panel> {
    let page = Document::parse(&plot.svg).expect("XML");
    let groups = page.descendants().filter(|n| n.attribute("data-joint").is_some());
    let mut all: Vec<Panel> = groups.map(panel).collect();
    // Times are labelled under the last of each column; all panels have the same axis.
    let times = all.iter().rev().find(|p| p.times.len() >= 2).map(|p| p.times.clone());
    all.iter_mut().for_each(|p| p.times = times.clone().unwrap_or_default());
    all
}

fn panel(node: Node) -> Panel {
    let within = node.parent_element().expect("its place").attribute("transform").expect("its place");
    let place: Vec<f64> =
        within.trim_start_matches("translate(").trim_end_matches(')').split(' ').map(number).collect();
    let text = |n: Node| n.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect::<String>();
    let of = |tag: &'static str| node.children().filter(move |n| n.has_tag_name(tag));
    let frame = of("rect").next().expect("a frame");
    let side = |name: &str| number(frame.attribute(name).expect("a size"));
    let axis = |name: &str, along: &str| -> Vec<(f64, f64)> {
        let labels = of("text").filter(|n| n.attribute("data-axis") == Some(name));
        labels.map(|n| (number(text(n).trim()), number(n.attribute(along).expect("a place")))).collect()
    };
    let head = of("text").map(text).next().expect("a head");
    let mut ticks = axis("value", "y");
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    Panel {
        joint: node.attribute("data-joint").expect("a name").to_owned(),
        aspect: node.attribute("data-aspect").unwrap_or_default().to_owned(),
        title: of("title").next().and_then(|n| n.text()).unwrap_or_default().to_owned(),
        within: head.split_once('\u{b1}').map(|(_, beyond)| number(beyond.trim())),
        head: head.trim().to_owned(),
        texts: of("text").map(|n| text(n).trim().to_owned()).collect(),
        at: (place[0], place[1]),
        width: side("width"),
        height: side("height"),
        paths: of("path")
            .filter_map(|n| Some((n.attribute("data-series")?.to_owned(), n.attribute("d")?.to_owned())))
            .collect(),
        ticks,
        times: axis("time", "x"),
    }
}

impl Panel {
    fn paths(&self, series: &str) -> impl Iterator<Item = &str> {
        self.paths.iter().filter(move |(name, _)| name == series).map(|(_, data)| data.as_str())
    }

    /// The pixel of a time, by the first and the last label.
    pub fn x_of(&self, time: f64) -> f64 {
        let ((t, x), (u, y)) = (self.times[0], self.times[self.times.len() - 1]);
        x + (time - t) / (u - t) * (y - x)
    }

    /// The pixel of a value: between the outermost ticks of the linear part, or in decades beyond it.
    pub fn height_of(&self, value: f64) -> f64 {
        let place = |x: f64| match self.within {
            Some(within) if x.abs() > within => x.signum() * (1.0 + (x.abs() / within).log10()),
            Some(within) => x / within,
            None => x,
        };
        let ((a, y), (b, z)) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        y + (place(value) - place(a)) / (place(b) - place(a)) * (z - y)
    }

    /// The points of a line.
    pub fn line(&self, series: &str) -> Parts {
        let parts = self.paths(series).flat_map(|data| data.split('M').skip(1));
        parts
            .map(|part| {
                let numbers: Vec<f64> = part.trim_end_matches("h0").split(' ').map(number).collect();
                numbers.chunks(2).map(|p| (p[0], p[1])).collect()
            })
            .collect()
    }

    /// The height of a level line.
    pub fn level(&self, series: &str) -> Option<f64> {
        self.paths(series).next().map(|data| number(data.split(['M', ' ', 'H']).nth(2).expect("a height")))
    }

    /// Where stretches start and end.
    pub fn spans(&self, series: &str) -> Vec<(f64, f64)> {
        let all = self.paths(series).flat_map(|data| data.split('M').skip(1));
        all.map(|part| {
            let parts: Vec<&str> = part.split([' ', 'H', 'V', 'Z']).collect();
            assert_eq!(number(parts[3]), self.height, "as high as the field: {part}");
            (number(parts[0]), number(parts[2]))
        })
        .collect()
    }

    /// The tips of marks; of rings their leftmost points.
    pub fn marks(&self, series: &str) -> Vec<(f64, f64)> {
        let all =
            self.paths(series).filter(|data| data.ends_with('z')).flat_map(|data| data.split('M').skip(1));
        all.map(|part| {
            let (x, rest) = part.split_once(' ').expect("a point");
            (number(x), number(rest.split(['l', 'a']).next().expect("a height")))
        })
        .collect()
    }
}

/// The height of a line at `x`.
pub fn height_at(line: &Parts, x: f64) -> f64 {
    let part = line.iter().find(|part| part[0].0 - 0.06 <= x && x <= part[part.len() - 1].0 + 0.06);
    let part = part.unwrap_or_else(|| panic!("no line at {x}"));
    let next = part.partition_point(|p| p.0 < x);
    match (next.checked_sub(1).map(|k| part[k]), part.get(next)) {
        (Some(a), Some(b)) => a.1 + (x - a.0) / (b.0 - a.0) * (b.1 - a.1),
        (Some(a), None) => a.1,
        (None, b) => b.expect("a point").1,
    }
}

/// The least and the largest height of a line between two places.
pub fn band(line: &Parts, start: f64, end: f64) -> (f64, f64) {
    let part = &line[0];
    let (start, end) = (start.max(part[0].0), end.min(part[part.len() - 1].0));
    let (first, last) = (part.partition_point(|p| p.0 < start), part.partition_point(|p| p.0 <= end));
    let ends = [height_at(line, start), height_at(line, end)];
    let inside = part[first..last].iter().map(|p| p.1).chain(ends);
    (inside.clone().fold(f64::MAX, f64::min), inside.fold(f64::MIN, f64::max))
}
