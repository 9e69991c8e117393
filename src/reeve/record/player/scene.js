// Draws one instant of a scene on a canvas: convex solids face by face from back to front, cables by tension.
// Data: see player_data.h. Vectors are plain arrays; lengths in m, page coordinates in CSS pixels.
const TENSION = ["#2a0a8f", "#6a00a8", "#a21d9a", "#cc4778", "#e66c5c", "#f89540"];
const TENSION_ON_DARK = ["#7d74ff", "#a566f0", "#cf62cc", "#ec7598", "#f59a77", "#ffd166"];

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));
/// v turned by the quaternion (w, x, y, z) q.
function turned(q, v) {
  const u = [q[1], q[2], q[3]], t = scaled(cross(u, v), 2);
  return add(add(v, scaled(t, q[0])), cross(u, t));
}
/// A unit vector across an axis, as Stage chooses it.
const across = (axis) => unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));

function parseColour(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16 & 255, n >> 8 & 255, n & 255];
}
function shade(rgb, light) {
  return "rgb(" + rgb.map((c) => Math.round(light > 1 ? c + (255 - c) * (light - 1) : c * light)).join(",") + ")";
}
function tensionColour(share, dark) {
  const stops = dark ? TENSION_ON_DARK : TENSION;
  const at = Math.min(Math.max(share || 0, 0), 1) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
  const a = parseColour(stops[low]), b = parseColour(stops[low + 1]), f = at - low;
  return "rgb(" + a.map((c, i) => Math.round(c + (b[i] - c) * f)).join(",") + ")";
}

/// Orthographic, like the pictures: `yaw` and `pitch` say where the eye is, `center` is in the middle, `scale` px per m.
class Camera {
  constructor(view) {
    this.home = view;
    this.reset();
  }
  reset() {
    const f = unit(this.home.from);
    this.yaw = Math.hypot(f[0], f[1]) < 1e-9 ? -Math.PI / 2 : Math.atan2(f[1], f[0]);
    this.pitch = Math.asin(Math.min(Math.max(f[2], -1), 1));
    this.center = this.home.center.slice();
    this.zoom = 1;
  }
  place(width, height) {
    const c = Math.cos(this.pitch);
    this.eye = [c * Math.cos(this.yaw), c * Math.sin(this.yaw), Math.sin(this.pitch)];
    this.right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.up = cross(this.eye, this.right);
    this.scale = this.zoom * 0.92 * Math.min(width / this.home.width, height / this.home.height);
    this.middle = [width / 2, height / 2];
  }
  project(p) {
    const d = sub(p, this.center);
    return [this.middle[0] + this.scale * dot(d, this.right), this.middle[1] - this.scale * dot(d, this.up), dot(d, this.eye)];
  }
  pan(dx, dy) {
    this.center = add(this.center, add(scaled(this.right, -dx / this.scale), scaled(this.up, dy / this.scale)));
  }
}

/// Faces (lists of corners) of what is drawn as a polyhedron, in its own frame.
function facesOf(solid) {
  if (solid.faces) return solid.faces;
  if (solid.type === "box") {
    const [x, y, z] = solid.size.map((s) => s / 2);
    const c = (a, b, d) => [a * x, b * y, d * z];
    return [[c(-1, -1, -1), c(-1, -1, 1), c(-1, 1, 1), c(-1, 1, -1)], [c(1, -1, -1), c(1, 1, -1), c(1, 1, 1), c(1, -1, 1)],
      [c(-1, -1, -1), c(1, -1, -1), c(1, -1, 1), c(-1, -1, 1)], [c(-1, 1, -1), c(-1, 1, 1), c(1, 1, 1), c(1, 1, -1)],
      [c(-1, -1, -1), c(-1, 1, -1), c(1, 1, -1), c(1, -1, -1)], [c(-1, -1, 1), c(1, -1, 1), c(1, 1, 1), c(-1, 1, 1)]];
  }
  const n = 28, ring = (z) => Array.from({length: n}, (_, i) => [solid.radius * Math.cos(2 * Math.PI * i / n), solid.radius * Math.sin(2 * Math.PI * i / n), z]);
  const low = ring(-solid.length / 2), high = ring(solid.length / 2), faces = [low.slice().reverse(), high];
  for (let i = 0; i < n; ++i) faces.push([low[i], low[(i + 1) % n], high[(i + 1) % n], high[i]]);
  return faces;
}

class SceneView {
  constructor(data, canvas) {
    this.data = data;
    this.canvas = canvas;
    this.camera = new Camera(data.view);
    for (const solid of data.solids) {
      solid.rgb = parseColour(solid.fill);
      if (["box", "faces", "cylinder"].includes(solid.type)) solid.mesh = facesOf(solid);
    }
  }

  /// Pose of a solid at a frame: where its own frame lies in the world.
  poseOf(solid, frame) {
    const own = {p: solid.position || [0, 0, 0], q: solid.orientation || [1, 0, 0, 0]};
    const b = solid.body === undefined ? null : frame.bodies[solid.body];
    if (!b) return (p) => add(own.p, turned(own.q, p));
    const q = b.slice(3), at = b.slice(0, 3);
    return (p) => add(at, turned(q, add(own.p, turned(own.q, p))));
  }

  draw(frame, dark) {
    const {canvas, camera} = this, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    camera.place(width, height);
    this.spots = [];
    const things = [];
    for (const solid of this.data.solids)
      if (solid.type === "ground") this.drawGround(pen, solid, dark);
      else this.collect(things, solid, frame, dark);
    this.data.cables.forEach((cable, i) => this.collectCable(things, cable, frame.cables[i], dark));
    things.sort((a, b) => a.depth - b.depth);
    for (const thing of things) thing.paint(pen);
    this.drawScale(pen, width, height, dark);
  }

  collect(things, solid, frame, dark) {
    const {camera} = this, to = this.poseOf(solid, frame), rim = dark ? "rgba(0,0,0,0.55)" : "rgba(33,41,51,0.55)";
    if (solid.type === "wheel") return this.collectWheel(things, solid, frame, rim);
    if (solid.type === "sphere" || solid.type === "capsule") {
      const half = solid.type === "capsule" ? solid.length / 2 : 0;
      const a = camera.project(to([0, 0, -half])), b = camera.project(to([0, 0, half]));
      const r = Math.max(solid.radius * camera.scale, 3);
      this.spots.push({solid, at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], reach: r});
      things.push({depth: (a[2] + b[2]) / 2, paint: (pen) => {
        pen.lineCap = "round";
        for (const [w, colour] of [[2 * r, shade(solid.rgb, 0.55)], [2 * r - 2, shade(solid.rgb, 1)]]) {
          pen.beginPath(), pen.moveTo(a[0], a[1]), pen.lineTo(b[0] + 0.01, b[1]);
          pen.lineWidth = w, pen.strokeStyle = colour, pen.stroke();
        }
        pen.beginPath(), pen.arc(b[0] - r * 0.3, b[1] - r * 0.35, r * 0.3, 0, 7), pen.fillStyle = "rgba(255,255,255,0.35)", pen.fill();
      }});
      return;
    }
    const middle = camera.project(to([0, 0, 0]));
    let reach = 0;
    for (const face of solid.mesh) {
      const world = face.map(to), corners = world.map((p) => camera.project(p));
      for (const c of corners) reach = Math.max(reach, Math.hypot(c[0] - middle[0], c[1] - middle[1]));
      const normal = unit(cross(sub(world[1], world[0]), sub(world[2], world[1])));
      if (dot(normal, camera.eye) <= 1e-6) continue;
      const light = 0.62 + 0.38 * Math.max(dot(normal, unit(add(camera.eye, [0, 0, 0.9]))), 0);
      things.push({depth: corners.reduce((s, c) => s + c[2], 0) / corners.length, paint: (pen) => {
        pen.beginPath();
        corners.forEach((c, i) => i ? pen.lineTo(c[0], c[1]) : pen.moveTo(c[0], c[1]));
        pen.closePath();
        pen.fillStyle = pen.strokeStyle = shade(solid.rgb, light), pen.lineWidth = 0.8, pen.fill();
        if (solid.type !== "cylinder" || corners.length > 4) pen.strokeStyle = rim;
        pen.stroke();
      }});
    }
    this.spots.push({solid, at: middle, reach: solid.fixed ? 8 : Math.min(reach, 40)});
  }

  collectWheel(things, solid, frame, rim) {
    const {camera} = this;
    let w = solid.rotor === undefined ? null : frame.wheels[solid.rotor];
    if (!w) {
      const to = this.poseOf(solid, frame), o = to([0, 0, 0]);
      w = [...o, ...sub(to(solid.axis), o), ...sub(to(across(solid.axis)), o)];
    }
    const c = w.slice(0, 3), axis = w.slice(3, 6), spoke = w.slice(6, 9), side = cross(axis, spoke);
    const front = dot(axis, camera.eye) >= 0 ? 1 : -1, mid = camera.project(c);
    const ring = (z, r) => Array.from({length: 40}, (_, i) => camera.project(add(add(c, scaled(axis, z)),
      add(scaled(spoke, r * Math.cos(Math.PI * i / 20)), scaled(side, r * Math.sin(Math.PI * i / 20))))));
    const trace = (pen, points) => {
      pen.beginPath();
      points.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
      pen.closePath();
    };
    this.spots.push({solid, at: mid, reach: Math.max(solid.radius * camera.scale * 0.7, 6)});
    things.push({depth: mid[2] - 0.25 * solid.width, paint: (pen) => {
      const back = ring(-front * solid.width / 2, solid.radius), face = ring(front * solid.width / 2, solid.radius);
      pen.lineWidth = 1, pen.strokeStyle = rim;
      trace(pen, back), pen.fillStyle = shade(solid.rgb, 0.75), pen.fill(), pen.stroke();
      trace(pen, face), pen.fillStyle = shade(solid.rgb, 1), pen.fill(), pen.stroke();
      const hub = camera.project(add(c, scaled(axis, front * solid.width / 2)));
      for (let k = 0; k < 5; ++k) {
        const end = face[k * 8];
        pen.beginPath(), pen.moveTo(hub[0], hub[1]), pen.lineTo(end[0], end[1]);
        pen.lineWidth = k ? 1 : 2.2, pen.strokeStyle = k ? rim : "#e0700a", pen.stroke();
      }
    }});
  }

  collectCable(things, cable, line, dark) {
    const {camera, data} = this, width = Math.min(Math.max(2 * cable.radius * camera.scale, 2), 40);
    for (let i = 0; i + 7 < line.length + 0.5; i += 4) {
      if (line[i + 3] < 0) continue;  // parted here
      const a = camera.project(line.slice(i, i + 3)), b = camera.project(line.slice(i + 4, i + 7));
      const tension = (line[i + 3] + Math.max(line[i + 7], 0)) / 2;
      const colour = data.tension > 0 ? (tension > 0 ? tensionColour(tension / data.tension, dark) : dark ? "#9aa3ad" : "#858e99") : cable.colour;
      this.spots.push({cable, tension, a, b, reach: width / 2 + 6});
      const parts = Math.min(Math.max(Math.ceil(Math.hypot(a[0] - b[0], a[1] - b[1]) / 24), 1), 40);
      for (let k = 0; k < parts; ++k) {
        const at = (f) => [0, 1, 2].map((j) => a[j] + (b[j] - a[j]) * f), from = at(k / parts), to = at((k + 1) / parts);
        things.push({depth: (from[2] + to[2]) / 2 + width / camera.scale, paint: (pen) => {
          pen.beginPath(), pen.moveTo(from[0], from[1]), pen.lineTo(to[0], to[1]);
          pen.lineCap = "round", pen.lineWidth = width, pen.strokeStyle = colour, pen.stroke();
        }});
      }
    }
  }

  drawGround(pen, solid, dark) {
    const {camera} = this, up = turned(solid.orientation, [0, 0, 1]), u = across(up), v = cross(up, u);
    const size = Math.max(this.data.view.width, this.data.view.height);
    const cell = Math.pow(10, Math.floor(Math.log10(size / 3)));
    const d = sub(camera.center, solid.position), o = sub(camera.center, scaled(up, dot(d, up)));
    const base = [Math.round(dot(o, u) / cell) * cell, Math.round(dot(o, v) / cell) * cell], n = Math.ceil(size / cell);
    const at = (i, j) => camera.project(add(add(scaled(u, base[0] + i * cell), scaled(v, base[1] + j * cell)), scaled(up, dot(solid.position, up))));
    pen.strokeStyle = dark ? "rgba(255,255,255,0.13)" : "rgba(33,41,51,0.13)", pen.lineWidth = 1, pen.beginPath();
    for (let i = -n; i <= n; ++i)
      for (const [a, b] of [[at(i, -n), at(i, n)], [at(-n, i), at(n, i)]]) pen.moveTo(a[0], a[1]), pen.lineTo(b[0], b[1]);
    pen.stroke();
  }

  drawScale(pen, width, height, dark) {
    const raw = 110 / this.camera.scale, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const metres = (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1) * power, length = metres * this.camera.scale;
    pen.strokeStyle = pen.fillStyle = dark ? "#b9c2cc" : "#4a545f", pen.lineWidth = 1.5, pen.font = "12px sans-serif";
    pen.beginPath(), pen.moveTo(14, height - 14), pen.lineTo(14 + length, height - 14);
    for (const x of [14, 14 + length]) pen.moveTo(x, height - 18), pen.lineTo(x, height - 10);
    pen.stroke(), pen.textAlign = "left", pen.fillText(metres >= 1 ? metres + " m" : +(metres * 100).toPrecision(1) + " cm", 18, height - 20);
  }

  /// What lies under a point of the page: cables before bodies, small bodies before large ones.
  under(x, y) {
    let best = null, nearest = Infinity;
    for (const s of this.spots) {
      if (!s.cable) continue;
      const d = [s.b[0] - s.a[0], s.b[1] - s.a[1]], f = Math.min(Math.max(((x - s.a[0]) * d[0] + (y - s.a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1] || 1), 0), 1);
      const far = Math.hypot(x - s.a[0] - f * d[0], y - s.a[1] - f * d[1]);
      if (far < s.reach && far < nearest) best = s, nearest = far;
    }
    if (best) return best;
    for (const s of this.spots)
      if (!s.cable && Math.hypot(x - s.at[0], y - s.at[1]) < Math.max(s.reach, 8) && s.reach < nearest) best = s, nearest = s.reach;
    return best;
  }
}
