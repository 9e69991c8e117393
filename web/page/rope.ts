/** A cable as a tube: colored by tension, striped along its material, and never thinner than a pixel or two. */
import * as three from 'three';
import type { CableFrame } from '../src/index.js';
import { slackColor, tensionColor } from './colors.js';

const SIDES = 8;

const vertexShader = /* glsl */ `
  attribute vec3 tint;
  attribute vec2 cloth;  // m along the material, turns about it
  uniform float radius;
  uniform float pixel;   // height of a pixel at distance 1
  uniform float least;   // px
  varying vec3 vTint;
  varying vec3 vNormal;
  varying vec2 vCloth;
  varying float vThin;   // how many times wider than it is
  void main() {
    vec4 centre = modelViewMatrix * vec4(position, 1.0);
    // A line of constant width in pixels inside the tube: what would be thinner is widened.
    float shown = max(radius, least * pixel * -centre.z);
    vThin = shown / radius;
    vec3 n = normalize(normalMatrix * normal);
    gl_Position = projectionMatrix * (centre + vec4(n * shown, 0.0));
    vTint = tint;
    vNormal = n;
    vCloth = cloth;
  }`;

const fragmentShader = /* glsl */ `
  uniform float period;  // m between stripes
  uniform float glow;
  uniform float opacity;
  uniform float dark;    // 1 on a dark picture
  varying vec3 vTint;
  varying vec3 vNormal;
  varying vec2 vCloth;
  varying float vThin;
  void main() {
    float light = 0.84 + 0.16 * clamp(dot(normalize(vNormal), normalize(vec3(0.3, 0.6, 0.75))), 0.0, 1.0);
    // One stripe in every period, slanted once round the cable, so that both flow and twist show. Where a cable is only a
    // few pixels wide it is a band: a slanted one would be flecks.
    float slant = 1.0 - smoothstep(1.0, 1.6, vThin);
    float stripe = fract(vCloth.x / period + slant * vCloth.y);
    float width = fwidth(vCloth.x / period);
    float mark = smoothstep(0.0, 0.03 + width, stripe) * (1.0 - smoothstep(0.16, 0.19 + width, stripe));
    mark *= 1.0 - smoothstep(0.25, 0.6, width);
    // Never the background's tone, or a thin cable would look dashed: darker on a light picture where its color bears it.
    float bright = dot(vTint, vec3(0.3, 0.59, 0.11));
    vec3 band = dark < 0.5 && bright > 0.22 ? 0.6 * vTint : mix(vTint, vec3(1.0), dark < 0.5 ? 0.38 : 0.5);
    vec3 color = mix(vTint, band, 0.9 * mark);
    gl_FragColor = vec4(color * mix(light, 1.0, glow), opacity);
  }`;

export class Rope {
  readonly mesh: three.Mesh<three.BufferGeometry, three.ShaderMaterial>;
  /** x y z tension of each point, as last drawn. */
  points = new Float64Array(0);
  private room = 0;

  constructor(
    readonly name: string,
    radius: number,
    private readonly closed: boolean,
    extent: number,
    ghost = false,
  ) {
    const material = new three.ShaderMaterial({
      transparent: ghost,
      depthWrite: !ghost,
      vertexShader,
      fragmentShader,
      uniforms: {
        radius: { value: Math.max(radius, 1e-6) },
        pixel: { value: 0.001 },
        least: { value: ghost ? 3.2 : 1.6 },
        period: { value: Math.max(extent / 14, 12 * radius) },
        glow: { value: 0 },
        opacity: { value: ghost ? 0.45 : 1 },
        dark: { value: 0 },
      },
    });
    this.mesh = new three.Mesh(new three.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
  }

  get closedLoop(): boolean {
    return this.closed;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  update(frame: CableFrame, scale: number, dark: boolean): void {
    this.points = frame.points as Float64Array<ArrayBuffer>;
    this.mesh.material.uniforms.dark.value = dark ? 1 : 0;
    const count = this.points.length / 4;
    if (count > this.room) this.grow(count);
    const geometry = this.mesh.geometry;
    const position = geometry.getAttribute('position') as three.BufferAttribute;
    const normal = geometry.getAttribute('normal') as three.BufferAttribute;
    const tint = geometry.getAttribute('tint') as three.BufferAttribute;
    const cloth = geometry.getAttribute('cloth') as three.BufferAttribute;
    const p = this.points;
    const tangent = new three.Vector3();
    const side = new three.Vector3();
    const up = new three.Vector3();
    const before = new three.Vector3();
    const after = new three.Vector3();
    let along = frame.offset;
    for (let i = 0; i < count; i++) {
      const a = Math.max(i - 1, 0);
      const b = Math.min(i + 1, count - 1);
      before.set(p[4 * a], p[4 * a + 1], p[4 * a + 2]);
      after.set(p[4 * b], p[4 * b + 1], p[4 * b + 2]);
      tangent.subVectors(after, before);
      if (tangent.lengthSq() < 1e-18) tangent.set(0, 0, 1);
      tangent.normalize();
      // Carried along without turning about the tangent, as wasm/draw.cpp does: what the material turns is `turns`.
      if (i === 0) side.crossVectors(tangent, Math.abs(tangent.y) < 0.9 ? up.set(0, 1, 0) : up.set(1, 0, 0));
      side.addScaledVector(tangent, -side.dot(tangent));
      if (side.lengthSq() < 1e-12) side.crossVectors(tangent, up.set(0.3, 0.5, 0.8));
      side.normalize();
      up.crossVectors(tangent, side);
      if (i > 0) along += Math.hypot(p[4 * i] - p[4 * i - 4], p[4 * i + 1] - p[4 * i - 3], p[4 * i + 2] - p[4 * i - 2]);
      const tension = p[4 * i + 3];
      const color = tension <= scale * 1e-6 ? slackColor(dark) : tensionColor(tension / scale, dark);
      for (let k = 0; k < SIDES; k++) {
        const angle = (2 * Math.PI * k) / (SIDES - 1);
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        const v = i * SIDES + k;
        position.setXYZ(v, p[4 * i], p[4 * i + 1], p[4 * i + 2]);
        normal.setXYZ(v, c * side.x + s * up.x, c * side.y + s * up.y, c * side.z + s * up.z);
        tint.setXYZ(v, color[0], color[1], color[2]);
        cloth.setXY(v, along, k / (SIDES - 1) - (frame.turns[i] ?? 0));
      }
    }
    for (const attribute of [position, normal, tint, cloth]) attribute.needsUpdate = true;
    this.connect(count);
  }

  /** Lights the cable up when it is chosen. */
  highlight(on: boolean): void {
    this.mesh.material.uniforms.least.value = on ? 2.6 : 1.6;
    this.mesh.material.uniforms.glow.value = on ? 0.7 : 0;
  }

  private grow(count: number): void {
    this.room = Math.ceil(count * 1.5);
    const geometry = this.mesh.geometry;
    geometry.dispose();
    const add = (name: string, size: number) => {
      const attribute = new three.BufferAttribute(new Float32Array(this.room * SIDES * size), size);
      attribute.setUsage(three.DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    };
    add('position', 3);
    add('normal', 3);
    add('tint', 3);
    add('cloth', 2);
    const index = new three.BufferAttribute(new Uint32Array(this.room * (SIDES - 1) * 6), 1);
    index.setUsage(three.DynamicDrawUsage);
    geometry.setIndex(index);
  }

  /** Triangles between neighboring rings, but where the cable is parted. */
  private connect(count: number): void {
    const index = this.mesh.geometry.getIndex()!;
    let n = 0;
    for (let i = 0; i + 1 < count; i++) {
      if (this.points[4 * i + 3] < 0) continue;
      for (let k = 0; k + 1 < SIDES; k++) {
        const a = i * SIDES + k;
        const b = a + SIDES;
        for (const v of [a, b, a + 1, a + 1, b, b + 1]) index.setX(n++, v);
      }
    }
    index.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, n);
  }
}
