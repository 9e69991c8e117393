// Puts a scene with its controls, and plots under it, into elements of a page. Texts of the scene only ever become text
// nodes. ReevePlayer.mount(element, data, plotsElement) returns the player: seek(t), play(), pause().
class ReevePlayer {
  static mount(element, data, plots) { return new ReevePlayer(element, data, plots); }

  constructor(element, data, plots) {
    this.data = data;
    this.times = data.times;
    this.time = this.times[0];
    this.last = this.times[this.times.length - 1];
    this.speed = 1;
    this.playing = false;
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    const make = (tag, parent, text, title) => {
      const e = parent.appendChild(document.createElement(tag));
      if (text) e.textContent = text;
      if (title) e.title = title, e.setAttribute("aria-label", title);
      return e;
    };
    this.canvas = make("canvas", element);
    this.canvas.className = "scene";
    this.canvas.tabIndex = 0;
    this.tip = make("div", element);
    this.tip.className = "tip";
    if (data.tension > 0) this.legend(make("div", element));
    const bar = make("div", element);
    bar.className = "bar";
    this.button = make("button", bar, "▶", "Play or pause (space)");
    this.slider = make("input", bar, "", "Time");
    Object.assign(this.slider, {type: "range", min: this.times[0], max: this.last, step: "any", value: this.time});
    this.clock = make("output", bar);
    this.pace = make("select", bar, "", "Speed");
    for (const s of [0.1, 0.25, 0.5, 1, 2, 5]) Object.assign(make("option", this.pace, s + "×"), {value: s, selected: s === 1});
    this.home = make("button", bar, "⌂", "Camera of the start (double click)");
    this.view = new SceneView(data, this.canvas);
    this.plots = plots ? data.panels.map((panel) => new Plot(panel, data.plotTimes, plots.appendChild(document.createElement("figure")), (t) => (this.pause(), this.seek(t)))) : [];
    this.listen();
    this.seek(this.time);
  }

  listen() {
    const {canvas, slider} = this;
    this.button.addEventListener("click", () => this.playing ? this.pause() : this.play());
    slider.addEventListener("input", () => (this.pause(), this.seek(+slider.value)));
    this.pace.addEventListener("change", () => this.speed = +this.pace.value);
    const home = () => (this.view.camera.reset(), this.paint());
    this.home.addEventListener("click", home);
    canvas.addEventListener("dblclick", home);
    canvas.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.key === " ") this.playing ? this.pause() : this.play();
      else if (step) this.pause(), this.seek(this.times[Math.min(Math.max(this.index() + step, 0), this.times.length - 1)]);
      else return;
      event.preventDefault();
    });
    const fingers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      canvas.setPointerCapture(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("pointermove", (event) => this.pointer(event, fingers));
    canvas.addEventListener("pointerleave", () => this.tip.style.display = "none");
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-0.0015 * event.deltaY));
    }, {passive: false});
    this.dark.addEventListener("change", () => this.paint());
    window.addEventListener("resize", () => this.paint());
  }

  pointer(event, fingers) {
    const before = fingers.get(event.pointerId), camera = this.view.camera;
    if (!before) return this.tell(event);
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
      const reach = (e) => Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY) || 1;
      this.zoom(reach(event) / reach(before));
    } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
      camera.pan(dx, dy);
    } else {
      camera.yaw -= 0.008 * dx;
      camera.pitch = Math.min(Math.max(camera.pitch + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
    }
    fingers.set(event.pointerId, event);
    this.paint();
  }

  zoom(by) {
    const camera = this.view.camera;
    camera.zoom = Math.min(Math.max(camera.zoom * by, 0.02), 500);
    this.paint();
  }

  /// What the pointer is on: its name and its numbers at this time.
  tell(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const spot = this.view.under(x, y);
    this.tip.style.display = spot ? "block" : "none";
    if (!spot) return;
    let text;
    if (spot.cable) text = spot.cable.name + ": " + readable(spot.tension) + " N";
    else {
      const s = spot.solid, frame = this.frame();
      text = s.name;
      if (s.body !== undefined && frame.bodies[s.body]) text += " at " + frame.bodies[s.body].slice(0, 3).map(readable).join(", ") + " m";
      if (s.body !== undefined) text += ", " + readable(this.speedOf(s.body)) + " m/s";
      if (s.rotor !== undefined) text += ": " + readable(frame.angles[s.rotor]) + " rad, " + readable(frame.angles[s.rotor] * 180 / Math.PI) + "°";
    }
    this.tip.textContent = text;
    this.tip.style.left = Math.min(x + 12, box.width - 10 - this.tip.offsetWidth) + "px";
    this.tip.style.top = Math.max(y - 30, 0) + "px";
  }

  /// m/s, by the frames before and after.
  speedOf(body) {
    const i = this.index(), a = Math.max(i - 1, 0), b = Math.min(i + 1, this.times.length - 1), f = this.data.frames;
    if (a === b) return 0;
    return Math.hypot(...sub(f[b].bodies[body].slice(0, 3), f[a].bodies[body].slice(0, 3))) / (this.times[b] - this.times[a]);
  }

  legend(element) {
    element.className = "tensions";
    const label = element.appendChild(document.createElement("span"));
    label.textContent = "tension 0 to " + readable(this.data.tension) + " N";
    this.scale = element.appendChild(document.createElement("i"));
  }

  index() { return indexAt(this.times, this.time); }

  /// Between two samples bodies and wheels are interpolated; cables, whose points may come and go, are those of the nearer one.
  frame() {
    const {times, time} = this, frames = this.data.frames;
    let low = Math.min(indexAt(times, time), times.length - 2);
    if (low < 0) return frames[0];
    if (times[low] > time && low > 0) --low;
    const f = Math.min(Math.max((time - times[low]) / (times[low + 1] - times[low]), 0), 1), a = frames[low], b = frames[low + 1];
    const mix = (x, y) => x.map((v, i) => v + (y[i] - v) * f);
    const pose = (x, y) => {
      const same = x[3] * y[3] + x[4] * y[4] + x[5] * y[5] + x[6] * y[6] >= 0 ? 1 : -1;
      const p = mix(x, y.map((v, i) => i < 3 ? v : same * v)), n = Math.hypot(...p.slice(3)) || 1;
      return p.map((v, i) => i < 3 ? v : v / n);
    };
    const wheel = (x, y) => {
      const w = mix(x, y), axis = unit(w.slice(3, 6)), spoke = unit(sub(w.slice(6, 9), scaled(axis, dot(axis, w.slice(6, 9)))));
      return [...w.slice(0, 3), ...axis, ...spoke];
    };
    const lines = a.cables.map((line, i) => line.length === b.cables[i].length ? mix(line, b.cables[i]) : (f < 0.5 ? line : b.cables[i]));
    return {bodies: a.bodies.map((p, i) => pose(p, b.bodies[i])), wheels: a.wheels.map((w, i) => wheel(w, b.wheels[i])),
      angles: mix(a.angles, b.angles), cables: lines};
  }

  seek(t) {
    this.time = Math.min(Math.max(t, this.times[0]), this.last);
    this.slider.value = this.time;
    this.clock.textContent = "t = " + this.time.toFixed(this.last < 10 ? 3 : 2) + " s";
    this.paint();
  }

  paint() {
    const dark = this.dark.matches;
    if (this.scale) this.scale.style.background = "linear-gradient(to right, " + (dark ? TENSION_ON_DARK : TENSION).join(",") + ")";
    this.view.draw(this.frame(), dark);
    for (const plot of this.plots) plot.draw(this.time, dark);
  }

  play() {
    if (this.time >= this.last) this.seek(this.times[0]);
    this.playing = true;
    this.button.textContent = "❚❚";
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      this.seek(this.time + this.speed * (now - before) / 1000);
      before = now;
      if (this.time >= this.last) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    this.playing = false;
    this.button.textContent = "▶";
  }
}
