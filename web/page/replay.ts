/** A run as the one HTML page that `reeve run --html` writes: the same player, fed with what the page has recorded. */
import * as three from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import type { BodyLayout, Frame, Layout, ShapeLayout } from '../src/index.js';
import playerText from '../../src/reeve/record/player/player.js?raw';
import plotsText from '../../src/reeve/record/player/plots.js?raw';
import style from '../../src/reeve/record/player/report.css?raw';
import sceneText from '../../src/reeve/record/player/scene.js?raw';
import { bodyColor } from './colors.js';
import { axleTurn, boundsOf, RIM, vector } from './shapes.js';

export interface ReplayPanel {
  title: string;
  unit: string;
  series: { label: string; values: (number | null)[] }[];
}
export interface Run {
  layout: Layout;
  frames: Frame[];
  plotTimes: number[];
  panels: ReplayPanel[];
  /** What the state was at the end. */
  hash: string;
}

const MOST_FRAMES = 360;
const MOST_NUMBERS = 900_000;
const FIXED = 0xb9c1ca;
const WHEEL = 0xd7dde4;

const hex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;
const rounded = (x: number, digits: number): number => (Number.isFinite(x) ? Number(x.toFixed(digits)) : 0);
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Polygons of a convex hull, counter-clockwise from outside: triangles of one plane are one face. */
export function facesOf(points: readonly three.Vector3[]): number[][][] {
  const hull = new ConvexGeometry([...points]);
  const place = hull.getAttribute('position');
  const planes = new Map<string, { normal: three.Vector3; corners: Map<string, three.Vector3> }>();
  const size = Math.max(...points.map((p) => p.length()), 1e-9);
  for (let i = 0; i + 2 < place.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new three.Vector3().fromBufferAttribute(place, i + k));
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    const key = [...normal.toArray(), normal.dot(a) / size].map((x) => Math.round(x * 1e4)).join(' ');
    const plane = planes.get(key) ?? { normal, corners: new Map<string, three.Vector3>() };
    for (const corner of [a, b, c]) plane.corners.set(corner.toArray().map((x) => Math.round((1e6 * x) / size)).join(' '), corner);
    planes.set(key, plane);
  }
  hull.dispose();
  return [...planes.values()].map(({ normal, corners }) => {
    const list = [...corners.values()];
    const center = list.reduce((sum, p) => sum.add(p), new three.Vector3()).divideScalar(list.length);
    const u = list[0].clone().sub(center).normalize();
    const v = normal.clone().cross(u);
    const angle = (p: three.Vector3) => Math.atan2(p.clone().sub(center).dot(v), p.clone().sub(center).dot(u));
    return list.sort((p, q) => angle(p) - angle(q)).map((p) => p.toArray());
  });
}

function solidOf(body: BodyLayout, shape: ShapeLayout, index: number, fill: string): object {
  const faces = shape.type === 'hull' || shape.type === 'prism';
  return {
    name: body.name,
    type: faces ? 'faces' : shape.type === 'half-space' ? 'ground' : shape.type,
    fill,
    fixed: body.motion === 'static',
    body: index,
    position: shape.position,
    orientation: shape.orientation,
    radius: shape.radius,
    length: shape.length,
    size: shape.type === 'box' ? shape.size : undefined,
    faces: faces ? facesOf(shape.points.map(vector)) : undefined,
  };
}

function solidsOf(layout: Layout): object[] {
  const dot: ShapeLayout = { type: 'sphere', position: [0, 0, 0], orientation: [1, 0, 0, 0], radius: 1e-6, length: 0, size: [0, 0, 0], points: [] };
  const bodies = layout.bodies.flatMap((body, i) => {
    const fill = hex(body.color ?? (body.motion === 'static' ? FIXED : bodyColor(i)));
    return (body.shapes.length > 0 ? body.shapes : [dot]).map((shape) => solidOf(body, shape, i, fill));
  });
  const particles = layout.particles.map(({ name, radius }, i) => ({
    ...dot, name, fill: hex(0x6b8099), fixed: false, body: layout.bodies.length + i, radius: Math.max(radius, 1e-6), size: undefined, points: undefined,
  }));
  const wheels = layout.cables.flatMap((cable) =>
    cable.wheels.map((wheel) => ({
      name: layout.bodies[wheel.parent]?.name ?? 'world', type: 'wheel', fill: hex(WHEEL), fixed: false, body: wheel.parent < 0 ? undefined : wheel.parent,
      position: wheel.position, axis: wheel.axis, radius: wheel.radius, width: RIM * wheel.radius,
    })),
  );
  const rotors = layout.rotors.map((rotor, i) => ({
    name: rotor.name, type: 'wheel', fill: hex(rotor.color ?? WHEEL), fixed: false, rotor: i, radius: rotor.radius, width: rotor.width,
  }));
  return [...bodies, ...particles, ...wheels, ...rotors];
}

/** Center, axis and first spoke of a rotor in the world. */
function wheelOf(layout: Layout, frame: Frame, index: number, digits: number): number[] {
  const rotor = layout.rotors[index];
  const turn = axleTurn(rotor.axis).multiply(new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 0, 1), frame.rotors[2 * index]));
  const center = vector(rotor.position);
  const b = rotor.parent < 0 ? undefined : frame.bodies.subarray(7 * rotor.parent, 7 * rotor.parent + 7);
  if (b) {
    const pose = new three.Quaternion(b[4], b[5], b[6], b[3]);
    turn.premultiply(pose);
    center.applyQuaternion(pose).add(new three.Vector3(b[0], b[1], b[2]));
  }
  const axes = [new three.Vector3(0, 0, 1), new three.Vector3(1, 0, 0)].flatMap((axis) => axis.applyQuaternion(turn).toArray());
  return [...center.toArray().map((x) => rounded(x, digits)), ...axes.map((x) => rounded(x, 5))];
}

function frameData(layout: Layout, frame: Frame, digits: number): object {
  const pose = (i: number) => Array.from(frame.bodies.subarray(7 * i, 7 * i + 7), (x, k) => rounded(x, k < 3 ? digits : 5));
  const particle = (i: number) => [...Array.from(frame.particles.subarray(3 * i, 3 * i + 3), (x) => rounded(x, digits)), 1, 0, 0, 0];
  return {
    bodies: [...layout.bodies.map((_, i) => pose(i)), ...layout.particles.map((_, i) => particle(i))],
    wheels: layout.rotors.map((_, i) => wheelOf(layout, frame, i, digits)),
    angles: layout.rotors.map((_, i) => rounded(frame.rotors[2 * i], 4)),
    cables: frame.cables.map(({ points }) => Array.from(points, (x, k) => rounded(x, k % 4 < 3 ? digits : Math.abs(x) < 10 ? 3 : 0))),
  };
}

/** How much of the scene lies across the view: its middle, width and height, m. */
function viewOf(layout: Layout, frames: Frame[]): object {
  const from = vector(layout.view.from);
  if (from.lengthSq() < 1e-12) from.set(0, -1, 0);
  from.normalize();
  const right = Math.hypot(from.x, from.y) < 1e-9 ? new three.Vector3(1, 0, 0) : new three.Vector3(-from.y, from.x, 0).normalize();
  const up = from.clone().cross(right);
  const box = new three.Box3();
  for (const frame of frames) box.union(boundsOf(layout, frame.bodies, frame.cables.map((cable) => cable.points)));
  const size = box.getSize(new three.Vector3());
  const reach = (axis: three.Vector3) => Math.max(Math.abs(axis.x) * size.x + Math.abs(axis.y) * size.y + Math.abs(axis.z) * size.z, 1e-3);
  return { from: from.toArray(), center: box.getCenter(new three.Vector3()).toArray(), width: reach(right), height: reach(up) };
}

/** The data of player_data.h, as JSON without "<". */
function playerJson({ layout, frames, plotTimes, panels }: Run): string {
  const numbers = 8 + frames[0].bodies.length + 5 * frames[0].rotors.length + frames[0].cables.reduce((sum, cable) => sum + cable.points.length, 0);
  const most = Math.min(Math.max(Math.floor(MOST_NUMBERS / numbers), 24), MOST_FRAMES);
  const stride = Math.ceil(frames.length / most);
  const kept = frames.filter((_, i) => i % stride === 0 || i === frames.length - 1);
  const size = boundsOf(layout, frames[0].bodies, []).getSize(new three.Vector3()).length();
  const digits = Math.min(Math.max(4 - Math.floor(Math.log10(Math.max(size, 1e-3))), 4), 7);
  let tension = 0;
  for (const { cables } of kept) for (const { points } of cables) for (let i = 3; i < points.length; i += 4) tension = Math.max(tension, points[i]);
  const data = {
    view: viewOf(layout, kept.filter((_, i) => i < 8 || i % 8 === 0)),
    solids: solidsOf(layout),
    cables: layout.cables.map(({ name, radius, color }) => ({ name, radius, colour: hex(color ?? 0x33425c) })),
    tension: Number(tension.toPrecision(2)),
    plotTimes,
    panels,
    times: kept.map((frame) => frame.time),
    frames: kept.map((frame) => frameData(layout, frame, digits)),
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** The whole page. Texts of the scene are escaped, or in data that the player only ever makes into text nodes. */
export function replayHtml(run: Run): string {
  const title = escaped(run.layout.name || 'Reeve run');
  const last = run.frames[run.frames.length - 1];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<link rel="icon" href="data:,"/>
<title>${title}</title>
<style>
${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="about">${escaped(run.layout.about)}</p>
<p>${run.frames[0].time.toFixed(2)} s to ${last.time.toFixed(2)} s of a run in the playground, ${last.steps} steps of ${Number((1000 * run.layout.settings.dt).toPrecision(4))} ms.</p>
<div id="player"></div>
<p class="about">Drag to turn, shift-drag to move, wheel or pinch to zoom; space plays, arrows step. Point at a body or a cable for its numbers, at a plot to go to that time.</p>
<div id="plots"></div>
<p class="origin">state ${escaped(run.hash)}</p>
<script type="application/json" id="run">${playerJson(run)}</script>
<script>
"use strict";
${sceneText}${plotsText}${playerText}
ReevePlayer.mount(document.getElementById("player"), JSON.parse(document.getElementById("run").textContent), document.getElementById("plots"));
</script>
</body>
</html>
`;
}
