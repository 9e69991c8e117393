/** The picture: bodies, wheels, particles and cables of one scene, and the camera that looks at them. */
import * as three from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Frame, Layout, Vec3 } from '../src/index.js';
import { Figures } from './figures.js';
import type { Rope } from './rope.js';
import { boundsOf, vector } from './shapes.js';

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  /** Size of the scene, m. */
  extent = 1;
  layout: Layout | undefined;
  private readonly renderer: three.WebGLRenderer;
  private readonly content = new three.Group();
  private readonly spring: three.Line;
  private readonly grid = new three.Group();
  private figures: Figures | undefined;
  private ghost: Figures | undefined;
  private dark = false;
  private asked = false;
  /** Somebody has turned or zoomed: the view is theirs. */
  private taken = false;
  /** What the view holds, and what it will: bodies that leave the picture are followed. */
  private readonly held = new three.Box3();
  private readonly wanted = new three.Box3();

  constructor(
    canvas: HTMLCanvasElement,
    private readonly beforeDraw: () => void,
  ) {
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => (this.taken = true));
    const sun = new three.DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.6, -1, 1.4);
    this.scene.add(new three.HemisphereLight(0xffffff, 0x9aa2b0, 2.3), sun, this.content, this.grid);
    this.spring = new three.Line(
      new three.BufferGeometry().setFromPoints([new three.Vector3(), new three.Vector3()]),
      new three.LineBasicMaterial({ color: 0xff3355, depthTest: false }),
    );
    this.spring.visible = false;
    this.spring.renderOrder = 10;
    this.spring.frustumCulled = false;
    this.scene.add(this.spring);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  get bodies(): three.Group[] {
    return this.figures?.bodies ?? [];
  }
  get ropes(): Rope[] {
    return this.figures?.ropes ?? [];
  }
  get wheels(): three.InstancedMesh | undefined {
    return this.figures?.wheels;
  }
  rotorMatrix(index: number, frame: Frame, scaled: boolean): three.Matrix4 {
    return this.figures!.rotorMatrix(index, frame, scaled);
  }

  /** What lies on the graphics card, to see that nothing is forgotten there. */
  get resources(): { geometries: number } {
    return { geometries: this.renderer.info.memory.geometries };
  }

  /** m between lines of the grid. */
  get cell(): number {
    return 10 ** Math.floor(Math.log10(this.extent / 3));
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
    this.scene.background = new three.Color(dark ? 0x14171c : 0xf3f5f8);
    this.figures?.setTheme(dark);
    this.drawGrid();
    this.invalidate();
  }

  /** Builds what a scene shows, and looks at it from where it wants to be looked at. */
  open(layout: Layout, frame: Frame, keepView: boolean): void {
    this.clear();
    this.layout = layout;
    const box = boundsOf(layout, frame.bodies, frame.cables.map((cable) => cable.points));
    this.extent = Math.max(box.getSize(new three.Vector3()).length(), 1e-3);
    this.figures = new Figures(layout, this.extent);
    this.figures.setTheme(this.dark);
    this.content.add(this.figures.group);
    this.figures.show(frame, 1, this.dark);
    this.drawGrid(box.min.z);
    if (!keepView) {
      this.taken = false;
      this.held.copy(box);
      this.wanted.copy(box);
      this.lookAt(layout, box);
    }
    this.invalidate();
  }

  /** Draws back from what leaves the picture, softly, unless the view is somebody's own or the scene says how it is seen. */
  private follow(): void {
    const { layout, held, wanted } = this;
    if (!layout || this.taken || !this.controls.enabled || layout.view.height > 0 || layout.view.target) return;
    const place = new three.Vector3();
    const middle = held.getCenter(new three.Vector3());
    layout.bodies.forEach(({ motion }, i) => {
      const at = this.bodies[i].position;
      if (motion === 'static' || wanted.distanceToPoint(at) > 2 * this.extent) return; // what falls for ever is let go
      place.copy(at).project(this.camera);
      if (Math.max(Math.abs(place.x), Math.abs(place.y)) > 0.9) wanted.expandByPoint(place.copy(at).sub(middle).multiplyScalar(1.2).add(middle)); // and a little farther
    });
    if (held.equals(wanted)) return;
    held.min.lerp(wanted.min, 0.25);
    held.max.lerp(wanted.max, 0.25);
    this.lookAt(layout, held);
  }

  /** Moves everything to where a frame says; `scale` is the tension of the topmost color. */
  show(frame: Frame, scale: number): void {
    this.figures?.show(frame, scale, this.dark);
    this.follow();
    this.invalidate();
  }

  /** A second world of the same scene, seen through; undefined takes it away. */
  showGhost(frame: Frame | undefined, scale: number): void {
    if (!frame) {
      this.ghost?.dispose();
      this.ghost = undefined;
    } else {
      if (!this.ghost) {
        this.ghost = new Figures(this.layout!, this.extent, true);
        this.content.add(this.ghost.group);
      }
      this.ghost.show(frame, scale, this.dark);
    }
    this.invalidate();
  }
  get ghostShown(): boolean {
    return this.ghost !== undefined;
  }

  showSpring(from: Vec3 | null, to: Vec3 | null): void {
    this.spring.visible = from !== null && to !== null;
    if (from && to) this.spring.geometry.setFromPoints([vector(from), vector(to)]);
    this.invalidate();
  }

  highlight(kind: 'body' | 'cable' | 'rotor' | null, index: number): void {
    this.figures?.highlight(kind, index);
    this.invalidate();
  }

  /** Draws soon, once however often it is asked. */
  invalidate(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    this.asked = false;
    const height = this.canvas.clientHeight || 1;
    const pixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    for (const rope of [...this.ropes, ...(this.ghost?.ropes ?? [])]) rope.mesh.material.uniforms.pixel.value = pixel;
    this.beforeDraw();
    this.renderer.render(this.scene, this.camera);
  }

  /** Where a point of the world is on the canvas, in CSS pixels. */
  project(p: three.Vector3): { x: number; y: number; depth: number } {
    const q = p.clone().project(this.camera);
    return { x: ((q.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - q.y) / 2) * this.canvas.clientHeight, depth: q.z };
  }

  /** Turns the camera about what it looks at, rad; for keys. */
  orbit(sideways: number, upward: number): void {
    this.taken = true;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const at = new three.Spherical().setFromVector3(new three.Vector3(arm.x, arm.z, -arm.y));
    at.theta += sideways;
    at.phi = Math.min(Math.max(at.phi - upward, 0.05), Math.PI - 0.05);
    const turned = new three.Vector3().setFromSpherical(at);
    this.camera.position.set(turned.x, -turned.z, turned.y).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }
  zoom(factor: number): void {
    this.taken = true;
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  private clear(): void {
    this.figures?.dispose();
    this.ghost?.dispose();
    this.figures = this.ghost = undefined;
    this.showSpring(null, null);
  }

  /** A grid on the floor, or under scenes that have none, so that the eye finds up and down. */
  private drawGrid(level?: number): void {
    for (const part of this.grid.children) (part as three.GridHelper).dispose();
    this.grid.clear();
    if (!this.layout) return;
    if (level !== undefined) this.grid.userData.level = level;
    const floor = this.floorLevel();
    const cell = this.cell;
    const color = floor === undefined ? (this.dark ? 0x2a3038 : 0xdde2e8) : this.dark ? 0x323942 : 0xd3d9df;
    const lines = new three.GridHelper(cell * 40, 40, color, color);
    lines.rotation.x = Math.PI / 2;
    // Without a floor it is a background: what sinks below it is not crossed out by it.
    (lines.material as three.Material).depthTest = floor !== undefined;
    if (floor === undefined) lines.renderOrder = -1;
    lines.position.z = floor ?? (this.grid.userData.level as number) - 0.06 * this.extent;
    this.grid.add(lines);
  }

  /** Height of a level floor that stands still; undefined if there is none, or it is tilted. */
  private floorLevel(): number | undefined {
    for (const body of this.bodies)
      for (const part of body.children) {
        if (!part.userData.floor) continue;
        body.updateMatrixWorld(true);
        const up = new three.Vector3(0, 0, 1).transformDirection(part.matrixWorld);
        if (up.z > 0.9999) return new three.Vector3().setFromMatrixPosition(part.matrixWorld).z;
      }
    return undefined;
  }

  private lookAt(layout: Layout, box: three.Box3): void {
    const center = layout.view.target ? vector(layout.view.target) : box.getCenter(new three.Vector3());
    const from = vector(layout.view.from);
    if (from.lengthSq() < 1e-12) from.set(0, -1, 0);
    from.normalize();
    if (Math.abs(from.z) > 0.999) from.set(0, -0.02, Math.sign(from.z)).normalize();
    const size = box.getSize(new three.Vector3());
    const right = new three.Vector3(0, 0, 1).cross(from).normalize();
    const wide = Math.abs(right.x) * size.x + Math.abs(right.y) * size.y;
    const tall = size.z * Math.hypot(from.x, from.y) + Math.abs(from.z) * Math.max(size.x, size.y);
    const aspect = Math.max(this.camera.aspect, 0.2);
    const height = layout.view.height > 0 ? layout.view.height : Math.max(tall, wide / aspect, 0.05 * this.extent) * 1.18;
    const distance = height / (2 * Math.tan((this.camera.fov * Math.PI) / 360)) + 0.5 * Math.abs(size.dot(from));
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(from, distance);
    this.camera.near = Math.max(distance, this.extent) / 2000;
    this.camera.far = 40 * Math.max(distance, this.extent);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  private resize(): void {
    const box = this.canvas.parentElement!;
    const width = Math.max(box.clientWidth, 1);
    const height = Math.max(box.clientHeight, 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}
