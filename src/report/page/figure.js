// The stick figure of a run: draws a row, plays, and lets itself be turned. `#t=1.5` in the address shows that time,
// `#play` plays. World axes: x, y level, z up; the camera looks at the origin of the data without perspective.
"use strict";
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  const by = (id) => document.getElementById(id);
  const svg = by("figure");
  const last = run.at.length - 1;
  const part = (name) => svg.querySelector("." + name);
  const rows = by("live") ? [...by("live").tBodies[0].rows] : [];
  const radius = run.radius;
  if (last < 0) return;

  // ---- what is shown ----
  const HOME = { azimuth: -0.9, elevation: 0.35 };
  const VIEWS = {
    "3D": HOME,
    front: { azimuth: 0, elevation: 0 },
    side: { azimuth: -Math.PI / 2, elevation: 0 },
    top: { azimuth: -Math.PI / 2, elevation: Math.PI / 2 },
  };
  const camera = { ...HOME, zoom: 1, panX: 0, panY: 0 };
  let [shown, width, height] = [0, 0, 0];

  let base = 1;
  // Pixels a metre.
  const scale = () => camera.zoom * base;
  // Where on the screen a direction of the world points, for a length of one pixel.
  function axes() {
    const [sa, ca] = [Math.sin(camera.azimuth), Math.cos(camera.azimuth)];
    const [se, ce] = [Math.sin(camera.elevation), Math.cos(camera.elevation)];
    return [[-sa, se * ca], [ca, se * sa], [0, -ce]];
  }
  // Brings all that the run reaches into the picture, as the camera now looks.
  function fit() {
    const [x, y, z] = axes();
    const [least, most] = [[Infinity, Infinity], [-Infinity, -Infinity]];
    for (const { xyz } of run.samples) {
      for (let f = 0; f < xyz.length; f += 3) {
        if (Math.hypot(xyz[f], xyz[f + 1], xyz[f + 2]) > 1.01 * radius) continue;
        for (const i of [0, 1]) {
          const at = x[i] * xyz[f] + y[i] * xyz[f + 1] + z[i] * xyz[f + 2];
          least[i] = Math.min(least[i], at);
          most[i] = Math.max(most[i], at);
        }
      }
    }
    const [wide, high] = [0, 1].map((i) => Math.max(most[i] - least[i], 0.4 * radius));
    base = Math.min((width - 70) / wide, (height - 100) / high);
    camera.zoom = 1;
    [camera.panX, camera.panY] = [0, 1].map((i) => (-base * (least[i] + most[i])) / 2);
    look();
  }
  // What ran away is far outside, not out of what a browser can draw.
  const within = (x) => Math.min(1e5, Math.max(-1e5, x)).toFixed(2);
  function projector() {
    const [k, [x, y, z]] = [scale(), axes()];
    const [cx, cy] = [width / 2 + camera.panX, height / 2 + camera.panY];
    return (p) => [0, 1].map((i) => within([cx, cy][i] + k * (x[i] * p[0] + y[i] * p[1] + z[i] * p[2])));
  }

  // ---- the parts of the picture ----
  function element(name, attributes, parent) {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    parent.appendChild(made);
    return made;
  }
  // More than so many numbers hide the figure; then only that of the row under the pointer is shown.
  svg.classList.toggle("crowded", run.joints.length > 30);
  const marks = run.joints.map((joint, j) => {
    const group = element("g", { class: "joint", "data-joint": joint.name }, part("marks"));
    element("title", {}, group).textContent = joint.name;
    const shape = joint.slides ? ["rect", { x: -6, y: -6, width: 12, height: 12 }] : ["circle", { r: 6.5 }];
    element(shape[0], { class: "mark", ...shape[1] }, group);
    element("path", { class: "dash", d: "M-3.5 0H3.5" }, group);
    element("path", { class: "cross", d: "M-3-3L3 3M-3 3L3-3" }, group);
    const label = element("text", {}, part("labels"));
    label.textContent = j + 1;
    return { group, label };
  });
  const triad = ["x", "y", "z"].map((name) => ({
    path: element("path", {}, part("triad")),
    text: Object.assign(element("text", { "text-anchor": "middle" }, part("triad")), { textContent: name }),
  }));

  // ---- numbers for people ----
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(run.step) - 1e-9)));
  const seconds = (k) => (run.at[k] * run.step).toFixed(digits);
  // The number 1, 2 or 5 times a power of ten just below.
  function round(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * [5, 2, 1].find((step) => step * power <= x * 1.0000001);
  }
  function metres(x) {
    const [size, unit] = [[1e3, "km"], [1, "m"], [1e-3, "mm"], [1e-6, "µm"]].find(([s]) => x >= 0.99 * s) || [1e-9, "nm"];
    return `${+(x / size).toPrecision(3)} ${unit}`;
  }
  function number(x) {
    if (x === null) return "–";
    const plain = x === 0 || (Math.abs(x) >= 1e-4 && Math.abs(x) < 1e6);
    const text = plain ? (x === 0 ? "0" : x.toFixed(4)) : x.toExponential(2);
    return text.replace("-", "−");
  }

  // ---- drawing ----
  const point = (sample, f) => sample.xyz.slice(3 * f, 3 * f + 3);
  const lines = (list) => list.map(([a, b]) => `M${a.join(" ")}L${b.join(" ")}`).join("");
  function draw() {
    const [sample, project] = [run.samples[shown], projector()];
    const world = run.frames.map((_, f) => point(sample, f));
    const screen = world.map(project);
    const ground = world.map((p) => project([p[0], p[1], run.ground]));
    const held = run.frames.map((frame, f) => [frame, f]).filter(([frame]) => frame.parent !== null);
    const joined = (welded) => held.filter(([frame]) => frame.welded === welded);
    const between = (at, list) => lines(list.map(([frame, f]) => [at[frame.parent], at[f]]));
    part("shadow").setAttribute("d", between(ground, held));
    part("welds").setAttribute("d", between(screen, joined(true)));
    part("links").setAttribute("d", between(screen, joined(false)));
    part("frames").setAttribute("d", screen.map((p) => `M${p.join(" ")}h0.01`).join(""));
    const labels = [];
    marks.forEach(({ group, label }, j) => {
      const [x, y] = screen[run.joints[j].frame];
      group.setAttribute("transform", `translate(${x} ${y})`);
      // Labels of joints at one place stand side by side.
      const near = labels.filter((l) => Math.hypot(l[0] - x, l[1] - y) < 16).length;
      labels.push([x, y]);
      label.setAttribute("x", +x + 9 + 16 * near);
      label.setAttribute("y", y - 8);
      const kind = `joint ${does(sample, j)[0]}${picked === j ? " picked" : ""}`;
      for (const dressed of [group, label]) dressed.setAttribute("class", kind);
    });
  }
  const does = (sample, j) => run.does[sample.does.charCodeAt(j) - 97];

  function drawGround() {
    const [project, step, reach] = [projector(), round(radius / 2), 1.5 * radius];
    const count = Math.ceil(reach / step);
    // Lines lie on whole multiples of the step in the world.
    const [x0, y0] = [0, 1].map((i) => Math.round(run.origin[i] / step) * step - run.origin[i]);
    const list = [];
    for (let i = -count; i <= count; i++) {
      const [x, y, end] = [x0 + i * step, y0 + i * step, count * step];
      list.push([[x, y0 - end], [x, y0 + end]], [[x0 - end, y], [x0 + end, y]]);
    }
    const placed = list.map((ends) => ends.map(([x, y]) => project([x, y, run.ground])));
    part("grid").setAttribute("d", lines(placed));
    const level = run.origin[2] + run.ground;
    const sign = level < 0 ? "−" : "";
    const z = Math.abs(level) < 1e-9 * radius ? "0" : sign + metres(Math.abs(level));
    by("grid").textContent = `Grid of ${metres(step)}, level at z = ${z}.`;
    axes().forEach(([x, y], i) => {
      triad[i].path.setAttribute("d", `M40 ${height - 42}l${24 * x} ${24 * y}`);
      triad[i].text.setAttribute("x", 40 + 32 * x);
      triad[i].text.setAttribute("y", height - 38 + 32 * y);
    });
    const length = round(110 / scale());
    const [right, left] = [width - 16, width - 16 - length * scale()];
    part("scale").setAttribute("d", `M${left} ${height - 14}v-6v3H${right}v-3v6`);
    const text = svg.querySelector("text.scale");
    text.textContent = metres(length);
    for (const [key, value] of [["x", right], ["y", height - 24], ["text-anchor", "end"]]) text.setAttribute(key, value);
    for (const key of ["azimuth", "elevation"]) svg.dataset[key] = camera[key];
    Object.assign(svg.dataset, { scale: scale(), x: width / 2 + camera.panX, y: height / 2 + camera.panY });
  }

  const look = () => { drawGround(); draw(); };

  // ---- time ----
  function show(k) {
    shown = Math.min(last, Math.max(0, k));
    const sample = run.samples[shown];
    const time = `${seconds(shown)} s`;
    by("time").value = shown;
    by("time").setAttribute("aria-valuetext", time);
    by("now").textContent = `${time} of ${seconds(last)} s`;
    svg.dataset.row = run.at[shown];
    if (rows.length) by("live-time").textContent = `${time}, row ${run.at[shown]}`;
    rows.forEach((row, j) => {
      const [kind, words] = does(sample, j);
      [sample.q, sample.v, sample.told].forEach((list, i) => {
        row.cells[2 + i].textContent = `${number(list[j])} ${run.joints[j].units[i]}`;
      });
      row.cells[5].textContent = words;
      row.querySelector(".joint").setAttribute("class", "joint " + kind);
    });
    draw();
  }
  // The last row shown that is not after a time.
  function rowAt(time) {
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (run.at[middle] * run.step <= time * (1 + 1e-12)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  let [playing, clock, before] = [false, 0, 0];
  const end = run.at[last] * run.step;
  function tick(now) {
    if (!playing) return;
    const speed = by("speed").value === "whole" ? end / 10 : +by("speed").value;
    clock += (Math.max(0, now - before) / 1000) * speed;
    before = now;
    show(rowAt(clock));
    if (clock >= end) play(false);
    else requestAnimationFrame(tick);
  }
  function play(on) {
    playing = on && last > 0;
    by("play").textContent = playing ? "❚❚" : "▶";
    by("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) return;
    clock = shown === last ? 0 : run.at[shown] * run.step;
    before = performance.now();
    requestAnimationFrame(tick);
  }
  const seek = (k) => { show(k); clock = run.at[shown] * run.step; };

  // ---- hands ----
  function turn(azimuth, elevation) {
    camera.azimuth += azimuth;
    camera.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.elevation + elevation));
    look();
  }
  // Zooms about a point of the screen, measured from the picture's middle.
  function zoom(by_, x, y) {
    const factor = Math.min(1e4, Math.max(1e-3, camera.zoom * by_)) / camera.zoom;
    camera.zoom *= factor;
    camera.panX = x + (camera.panX - x) * factor;
    camera.panY = y + (camera.panY - y) * factor;
    look();
  }
  by("play").addEventListener("click", () => play(!playing));
  by("play").disabled = last === 0;
  by("time").addEventListener("input", (event) => seek(+event.target.value));
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => {
      Object.assign(camera, VIEWS[button.dataset.view]);
      fit();
    });
  }
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom(+button.dataset.zoom, 0, 0));
  }
  svg.addEventListener("pointerdown", (event) => svg.setPointerCapture(event.pointerId));
  svg.addEventListener("pointermove", (event) => {
    if (!svg.hasPointerCapture(event.pointerId)) return;
    if (!event.shiftKey) return turn(-event.movementX * 0.01, event.movementY * 0.01);
    camera.panX += event.movementX;
    camera.panY += event.movementY;
    look();
  });
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    const x = event.clientX - box.left - svg.clientLeft - width / 2;
    const y = event.clientY - box.top - svg.clientTop - height / 2;
    zoom(Math.exp(-0.0015 * event.deltaY), x, y);
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, button, summary, a") && event.target !== by("play")) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === " " && event.target !== by("play")) play(!playing);
    else if (arrow && event.shiftKey) turn(-0.1 * arrow[0], 0.1 * arrow[1]);
    else if (arrow && arrow[0] && !event.target.closest(".scroll")) seek(shown + arrow[0]);
    else if (event.target === svg && (event.key === "+" || event.key === "-")) zoom(event.key === "+" ? 1.25 : 0.8, 0, 0);
    else return;
    event.preventDefault();
  });
  let picked = -1;
  rows.forEach((row, j) => {
    row.addEventListener("pointerenter", () => { picked = j; draw(); });
    row.addEventListener("pointerleave", () => { picked = -1; draw(); });
  });
  // What is folded is printed all the same.
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

  // ---- the start ----
  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("t")) seek(rowAt(+asked.get("t") || 0));
    if (asked.has("play")) play(true);
  }
  function resize() {
    [width, height] = [svg.clientWidth || 800, svg.clientHeight || 500];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    fit();
  }
  new ResizeObserver(resize).observe(svg);
  resize();
  show(0);
  fromAddress();
  addEventListener("hashchange", fromAddress);
})();
