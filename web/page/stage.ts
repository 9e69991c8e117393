/** The picture: bodies, wheels, particles and cables of one scene, and the camera that looks at them. */
import * as three from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Frame, Layout, Vec3 } from '../src/index.js';
import { bodyColor } from './colors.js';
import { Rope } from './rope.js';
import { axleTurn, boundsOf, RIM, shapeGeometry, vector, wheelGeometry, windingGeometry } from './shapes.js';

interface Winding {
  mesh: three.Mesh;
  drawn: number;
}

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly bodies: three.Group[] = [];
  readonly ropes: Rope[] = [];
  wheels: three.InstancedMesh | undefined;
  /** Size of the scene, m. */
  extent = 1;
  layout: Layout | undefined;
  private readonly renderer: three.WebGLRenderer;
  private readonly content = new three.Group();
  private readonly spring: three.Line;
  private readonly grid = new three.Group();
  private particles: three.InstancedMesh | undefined;
  private readonly windings = new Map<string, Winding>();
  private dark = false;
  private asked = false;

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

  setTheme(dark: boolean): void {
    this.dark = dark;
    this.scene.background = new three.Color(dark ? 0x14171c : 0xf3f5f8);
    this.drawGrid();
    this.invalidate();
  }

  /** Builds what a scene shows, and looks at it from where it wants to be looked at. */
  open(layout: Layout, frame: Frame, keepView: boolean): void {
    this.clear();
    this.layout = layout;
    const box = boundsOf(layout, frame.bodies, frame.cables.map((cable) => cable.points));
    this.extent = Math.max(box.getSize(new three.Vector3()).length(), 1e-3);
    layout.bodies.forEach((_, i) => this.addBody(i));
    this.addWheels();
    this.addParticles();
    for (const cable of layout.cables) {
      const rope = new Rope(cable.name, cable.radius, cable.closed, this.extent);
      this.ropes.push(rope);
      this.content.add(rope.mesh);
    }
    this.drawGrid(box.min.z);
    if (!keepView) this.lookAt(layout, box);
    this.invalidate();
  }

  /** Moves everything to where a frame says; `scale` is the tension of the topmost color. */
  show(frame: Frame, scale: number): void {
    const layout = this.layout;
    if (!layout) return;
    this.bodies.forEach((group, i) => {
      const b = frame.bodies.subarray(7 * i, 7 * i + 7);
      group.position.set(b[0], b[1], b[2]);
      group.quaternion.set(b[4], b[5], b[6], b[3]);
      group.updateMatrixWorld();
    });
    this.turnWheels(frame);
    if (this.particles) {
      const matrix = new three.Matrix4();
      layout.particles.forEach((particle, i) => {
        const r = particle.radius || this.extent / 150;
        matrix.makeScale(r, r, r).setPosition(frame.particles[3 * i], frame.particles[3 * i + 1], frame.particles[3 * i + 2]);
        this.particles!.setMatrixAt(i, matrix);
      });
      this.particles.instanceMatrix.needsUpdate = true;
    }
    this.ropes.forEach((rope, i) => rope.update(frame.cables[i], scale, this.dark));
    this.wind(frame);
    this.invalidate();
  }

  showSpring(from: Vec3 | null, to: Vec3 | null): void {
    this.spring.visible = from !== null && to !== null;
    if (from && to) this.spring.geometry.setFromPoints([vector(from), vector(to)]);
    this.invalidate();
  }

  highlight(kind: 'body' | 'cable' | 'rotor' | null, index: number): void {
    this.bodies.forEach((group, i) => {
      const on = kind === 'body' && i === index;
      group.traverse((part) => {
        const material = (part as three.Mesh).material;
        if (material instanceof three.MeshLambertMaterial) material.emissive.setHex(on ? 0x333320 : 0);
      });
    });
    this.ropes.forEach((rope, i) => rope.highlight(kind === 'cable' && i === index));
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
    for (const rope of this.ropes) rope.mesh.material.uniforms.pixel.value = pixel;
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
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  private clear(): void {
    for (const rope of this.ropes) rope.dispose();
    this.content.traverse((part) => {
      const mesh = part as three.Mesh;
      mesh.geometry?.dispose();
      if (mesh.material instanceof three.Material) mesh.material.dispose();
      if (part instanceof three.InstancedMesh) part.dispose();
    });
    this.content.clear();
    this.bodies.length = 0;
    this.ropes.length = 0;
    this.windings.clear();
    this.wheels = undefined;
    this.particles = undefined;
    this.showSpring(null, null);
  }

  private addBody(index: number): void {
    const body = this.layout!.bodies[index];
    const group = new three.Group();
    const material = new three.MeshLambertMaterial({ color: body.color ?? bodyColor(index) });
    for (const shape of body.shapes) {
      const floor = shape.type === 'half-space';
      const mesh = new three.Mesh(shapeGeometry(shape, 6 * this.extent), floor ? material.clone() : material);
      if (floor) (mesh.material as three.Material).side = three.DoubleSide;
      mesh.position.copy(vector(shape.position));
      const [w, x, y, z] = shape.orientation;
      mesh.quaternion.set(x, y, z, w);
      mesh.userData = { body: index, floor };
      group.add(mesh);
    }
    for (const cable of this.layout!.cables)
      for (const wheel of cable.wheels) {
        if (wheel.parent !== index) continue;
        const disc = new three.Mesh(wheelGeometry(), new three.MeshLambertMaterial({ vertexColors: true, color: 0xcfd6dd }));
        disc.position.copy(vector(wheel.position));
        disc.quaternion.copy(axleTurn(wheel.axis));
        disc.scale.set(wheel.radius, wheel.radius, wheel.radius * RIM);
        disc.userData = { body: index };
        group.add(disc);
      }
    this.bodies.push(group);
    this.content.add(group);
  }

  private addWheels(): void {
    const rotors = this.layout!.rotors;
    if (rotors.length === 0) return;
    const material = new three.MeshLambertMaterial({ vertexColors: true });
    this.wheels = new three.InstancedMesh(wheelGeometry(), material, rotors.length);
    this.wheels.frustumCulled = false;
    rotors.forEach((rotor, i) => this.wheels!.setColorAt(i, new three.Color(rotor.color ?? 0xc3ccd6)));
    this.content.add(this.wheels);
  }

  private addParticles(): void {
    const count = this.layout!.particles.length;
    if (count === 0) return;
    const material = new three.MeshLambertMaterial({ color: 0xe07b39 });
    this.particles = new three.InstancedMesh(new three.SphereGeometry(1, 16, 12), material, count);
    this.particles.frustumCulled = false;
    this.content.add(this.particles);
  }

  /** Where a rotor is: the parent's pose, its place on it, its axle, its turn. */
  rotorMatrix(index: number, frame: Frame, scaled: boolean): three.Matrix4 {
    const rotor = this.layout!.rotors[index];
    const turn = axleTurn(rotor.axis).multiply(
      new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 0, 1), frame.rotors[2 * index]),
    );
    const size = scaled ? new three.Vector3(rotor.radius, rotor.radius, rotor.width) : new three.Vector3(1, 1, 1);
    const matrix = new three.Matrix4().compose(vector(rotor.position), turn, size);
    return rotor.parent < 0 ? matrix : matrix.premultiply(this.bodies[rotor.parent].matrixWorld);
  }

  private turnWheels(frame: Frame): void {
    if (!this.wheels) return;
    for (let i = 0; i < this.layout!.rotors.length; i++) this.wheels.setMatrixAt(i, this.rotorMatrix(i, frame, true));
    this.wheels.instanceMatrix.needsUpdate = true;
  }

  /** Stored cable as windings on its drum, drawn anew when a twelfth of a turn has come or gone. */
  private wind(frame: Frame): void {
    frame.cables.forEach((cable, c) =>
      cable.windings.forEach((winding, w) => {
        const rotor = this.layout!.rotors[winding.rotor];
        const turns = Math.round((12 * winding.stored) / (2 * Math.PI * rotor.radius)) / 12;
        const key = `${c} ${w}`;
        let shown = this.windings.get(key);
        if (!shown) {
          const mesh = new three.Mesh(new three.BufferGeometry(), new three.MeshLambertMaterial({ color: 0x8a6a3d }));
          mesh.matrixAutoUpdate = false;
          shown = { mesh, drawn: -1 };
          this.windings.set(key, shown);
          this.content.add(mesh);
        }
        if (turns !== shown.drawn && Number.isFinite(turns)) {
          shown.mesh.geometry.dispose();
          shown.mesh.visible = turns > 0;
          if (turns > 0) shown.mesh.geometry = windingGeometry(turns, rotor.radius, rotor.width, this.layout!.cables[c].radius);
          shown.drawn = turns;
        }
        shown.mesh.matrix.copy(this.rotorMatrix(winding.rotor, frame, false));
        shown.mesh.matrixWorldNeedsUpdate = true;
      }),
    );
  }

  /** A grid under scenes that have no floor, so that the eye finds up and down. */
  private drawGrid(level?: number): void {
    for (const part of this.grid.children) (part as three.GridHelper).dispose();
    this.grid.clear();
    const floor = this.layout?.bodies.some((body) => body.shapes.some((shape) => shape.type === 'half-space'));
    if (!this.layout || floor) return;
    if (level !== undefined) this.grid.userData.level = level;
    const cell = 10 ** Math.floor(Math.log10(this.extent / 3));
    const color = this.dark ? 0x2a3038 : 0xdde2e8;
    const lines = new three.GridHelper(cell * 40, 40, color, color);
    lines.rotation.x = Math.PI / 2;
    lines.position.z = (this.grid.userData.level as number) - 0.06 * this.extent;
    this.grid.add(lines);
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
