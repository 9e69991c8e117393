// Line plots on canvases that share one cursor: pointing at a time in any of them moves the scene there.
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

/// Positions at steps of 1, 2 or 5 times a power of ten, and the decimals that write them.
function ticksOf(low, high, wanted) {
  const raw = (high - low) / wanted, power = Math.pow(10, Math.floor(Math.log10(raw))), m = raw / power;
  const step = (m < 1.001 ? 1 : m < 2.001 ? 2 : m < 5.001 ? 5 : 10) * power, at = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); ++i) at.push(i * step);
  return {at, decimals: Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)))};
}

/// For people: four digits, an exponent only where they would not do.
function readable(x) {
  if (x === null || x === undefined || !isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size === 0) return "0";
  return size >= 1e7 || size < 1e-4 ? x.toExponential(2) : String(+x.toPrecision(4));
}

/// Index of the sample nearest to a time.
function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return t - times[low] <= times[high] - t ? low : high;
}

class Plot {
  constructor(panel, times, element, seek) {
    this.panel = panel;
    this.times = times;
    this.canvas = element.appendChild(document.createElement("canvas"));
    this.canvas.className = "plot";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", panel.title);
    this.legend = element.appendChild(document.createElement("p"));
    this.legend.className = "legend";
    this.cells = panel.series.map((series, i) => {
      const item = this.legend.appendChild(document.createElement("span")), key = item.appendChild(document.createElement("i"));
      key.style.background = LINES[i % LINES.length];
      item.appendChild(document.createTextNode(series.label + " "));
      return item.appendChild(document.createElement("b"));
    });
    const point = (event) => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      seek(this.from + (x - this.left) / (this.right - this.left) * (this.to - this.from));
    };
    this.canvas.addEventListener("pointerdown", (event) => (this.canvas.setPointerCapture(event.pointerId), point(event)));
    this.canvas.addEventListener("pointermove", (event) => event.buttons && point(event));
    this.measure();
  }

  measure() {
    let low = Infinity, high = -Infinity;
    for (const s of this.panel.series)
      for (const v of s.values) if (v !== null) low = Math.min(low, v), high = Math.max(high, v);
    if (low > high) low = 0, high = 1;
    const least = Math.max(1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-12);
    if (high - low < least) [low, high] = [(low + high) / 2 - least, (low + high) / 2 + least];
    const margin = 0.06 * (high - low);
    this.low = low - margin, this.high = high + margin;
    this.from = this.times[0], this.to = Math.max(this.times[this.times.length - 1], this.from + 1e-9);
  }

  draw(t, dark) {
    const ratio = window.devicePixelRatio || 1, w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    this.canvas.width = Math.round(w * ratio), this.canvas.height = Math.round(h * ratio);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const faint = dark ? "#333c46" : "#edf0f3", quiet = dark ? "#b9c2cc" : "#4a545f";
    const left = this.left = 58, right = this.right = w - 18, top = 30, bottom = h - 24;
    const x = (time) => left + (time - this.from) / (this.to - this.from) * (right - left);
    const y = (v) => bottom - (v - this.low) / (this.high - this.low) * (bottom - top);
    pen.font = "11px sans-serif", pen.lineWidth = 1;
    pen.fillStyle = dark ? "#eef1f4" : "#1f2730", pen.font = "600 13px sans-serif", pen.textAlign = "left";
    pen.fillText(this.panel.title, 4, 14), pen.font = "11px sans-serif", pen.fillStyle = quiet;
    pen.textAlign = "right", pen.fillText(this.panel.unit, left - 6, 27);
    const across = ticksOf(this.from, this.to, Math.max(Math.floor((right - left) / 90), 2));
    for (const v of across.at) {
      pen.strokeStyle = faint, pen.beginPath(), pen.moveTo(x(v), top), pen.lineTo(x(v), bottom), pen.stroke();
      pen.textAlign = "center", pen.fillText(v.toFixed(across.decimals) + (v === across.at[across.at.length - 1] ? " s" : ""), x(v), bottom + 15);
    }
    const upward = ticksOf(this.low, this.high, Math.max(Math.floor((bottom - top) / 32), 2));
    for (const v of upward.at) {
      pen.strokeStyle = faint, pen.beginPath(), pen.moveTo(left, y(v)), pen.lineTo(right, y(v)), pen.stroke();
      pen.textAlign = "right", pen.fillText(Math.abs(v) >= 1e5 || (v && Math.abs(v) < 1e-3) ? v.toExponential(1) : v.toFixed(upward.decimals), left - 6, y(v) + 4);
    }
    this.panel.series.forEach((series, i) => {
      pen.beginPath(), pen.strokeStyle = LINES[i % LINES.length], pen.lineWidth = 1.7;
      let down = false;
      series.values.forEach((v, k) => {
        if (v === null) down = false;
        else if (down) pen.lineTo(x(this.times[k]), y(v));
        else pen.moveTo(x(this.times[k]), y(v)), down = true;
      });
      pen.stroke();
    });
    const k = indexAt(this.times, t);
    pen.strokeStyle = dark ? "#ffffff" : "#1f2730", pen.lineWidth = 1, pen.beginPath(), pen.moveTo(x(t), top), pen.lineTo(x(t), bottom), pen.stroke();
    this.cells.forEach((cell, i) => cell.textContent = readable(this.panel.series[i].values[k]) + (this.panel.unit ? " " + this.panel.unit : ""));
  }
}
