/** What one world looks like: bodies, wheels, particles, cables, windings. A ghost is a second world, seen through. */
import * as three from 'three';
import type { Frame, Layout } from '../src/index.js';
import { bodyColor } from './colors.js';
import { Rope } from './rope.js';
import { axleTurn, RIM, shapeGeometry, vector, wheelGeometry, windingGeometry } from './shapes.js';

interface Winding {
  mesh: three.Mesh;
  drawn: number;
}

export class Figures {
  readonly group = new three.Group();
  readonly bodies: three.Group[] = [];
  readonly ropes: Rope[] = [];
  wheels: three.InstancedMesh | undefined;
  private particles: three.InstancedMesh | undefined;
  private readonly floors: { material: three.MeshBasicMaterial; color: three.Color }[] = [];
  private readonly windings = new Map<string, Winding>();

  constructor(
    readonly layout: Layout,
    private readonly extent: number,
    private readonly ghost = false,
  ) {
    layout.bodies.forEach((_, i) => this.addBody(i));
    this.addWheels();
    this.addParticles();
    for (const cable of layout.cables) {
      const rope = new Rope(cable.name, cable.radius, cable.closed, extent, ghost);
      this.ropes.push(rope);
      this.group.add(rope.mesh);
    }
    if (ghost) this.group.renderOrder = 1;
  }

  /** Moves everything to where a frame says; `scale` is the tension of the topmost color. */
  show(frame: Frame, scale: number, dark: boolean): void {
    this.bodies.forEach((group, i) => {
      const b = frame.bodies.subarray(7 * i, 7 * i + 7);
      group.position.set(b[0], b[1], b[2]);
      group.quaternion.set(b[4], b[5], b[6], b[3]);
      group.updateMatrixWorld();
    });
    this.turnWheels(frame);
    if (this.particles) {
      const matrix = new three.Matrix4();
      this.layout.particles.forEach((particle, i) => {
        const r = particle.radius || this.extent / 150;
        matrix.makeScale(r, r, r).setPosition(frame.particles[3 * i], frame.particles[3 * i + 1], frame.particles[3 * i + 2]);
        this.particles!.setMatrixAt(i, matrix);
      });
      this.particles.instanceMatrix.needsUpdate = true;
    }
    this.ropes.forEach((rope, i) => rope.update(frame.cables[i], scale, dark));
    if (!this.ghost) this.wind(frame);
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
  }

  dispose(): void {
    for (const rope of this.ropes) rope.dispose();
    this.group.traverse((part) => {
      const mesh = part as three.Mesh;
      mesh.geometry?.dispose();
      if (mesh.material instanceof three.Material) mesh.material.dispose();
      if (part instanceof three.InstancedMesh) part.dispose();
    });
    this.group.removeFromParent();
  }

  /** Where a rotor is: the parent's pose, its place on it, its axle, its turn. */
  rotorMatrix(index: number, frame: Frame, scaled: boolean): three.Matrix4 {
    const rotor = this.layout.rotors[index];
    const turn = axleTurn(rotor.axis).multiply(
      new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 0, 1), frame.rotors[2 * index]),
    );
    const size = scaled ? new three.Vector3(rotor.radius, rotor.radius, rotor.width) : new three.Vector3(1, 1, 1);
    const matrix = new three.Matrix4().compose(vector(rotor.position), turn, size);
    return rotor.parent < 0 ? matrix : matrix.premultiply(this.bodies[rotor.parent].matrixWorld);
  }

  private paint(color: number, vertexColors = false): three.MeshLambertMaterial {
    const seenThrough = this.ghost ? { transparent: true, opacity: 0.38, depthWrite: false } : {};
    return new three.MeshLambertMaterial({ color, vertexColors, ...seenThrough });
  }

  /** Floors and walls are quiet, so that what moves stands out: a trace of their color on the background. */
  private ground(color: three.Color): three.MeshBasicMaterial {
    const material = new three.MeshBasicMaterial({ side: three.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.floors.push({ material, color: color.clone() });
    return material;
  }
  setTheme(dark: boolean): void {
    for (const { material, color } of this.floors) material.color.setHex(dark ? 0x1e2329 : 0xe6eaee).lerp(color, dark ? 0.012 : 0.14);
  }

  /** What stands still is the same in both worlds, and drawn once. */
  private still(body: number): boolean {
    return this.ghost && (body < 0 || this.layout.bodies[body].motion === 'static');
  }

  private addBody(index: number): void {
    const body = this.layout.bodies[index];
    const group = new three.Group();
    this.bodies.push(group);
    this.group.add(group);
    if (this.still(index)) return;
    const material = this.paint(body.color ?? bodyColor(index));
    for (const shape of body.shapes) {
      const floor = shape.type === 'half-space';
      const mesh = new three.Mesh(shapeGeometry(shape, 40 * this.extent), floor ? this.ground(material.color) : material);
      mesh.position.copy(vector(shape.position));
      const [w, x, y, z] = shape.orientation;
      mesh.quaternion.set(x, y, z, w);
      mesh.userData = { body: index, floor };
      group.add(mesh);
    }
    for (const cable of this.layout.cables)
      for (const wheel of cable.wheels) {
        if (wheel.parent !== index) continue;
        const disc = new three.Mesh(wheelGeometry(), this.paint(0xcfd6dd, true));
        disc.position.copy(vector(wheel.position));
        disc.quaternion.copy(axleTurn(wheel.axis));
        disc.scale.set(wheel.radius, wheel.radius, wheel.radius * RIM);
        disc.userData = { body: index };
        group.add(disc);
      }
  }

  private addWheels(): void {
    const { rotors } = this.layout;
    if (rotors.length === 0) return;
    this.wheels = new three.InstancedMesh(wheelGeometry(), this.paint(0xffffff, true), rotors.length);
    this.wheels.frustumCulled = false;
    rotors.forEach((rotor, i) => this.wheels!.setColorAt(i, new three.Color(rotor.color ?? 0xc3ccd6)));
    this.group.add(this.wheels);
  }

  private addParticles(): void {
    const count = this.layout.particles.length;
    if (count === 0) return;
    this.particles = new three.InstancedMesh(new three.SphereGeometry(1, 16, 12), this.paint(0xe07b39), count);
    this.particles.frustumCulled = false;
    this.group.add(this.particles);
  }

  private turnWheels(frame: Frame): void {
    if (!this.wheels) return;
    const none = new three.Matrix4().makeScale(0, 0, 0);
    this.layout.rotors.forEach((rotor, i) => this.wheels!.setMatrixAt(i, this.still(rotor.parent) ? none : this.rotorMatrix(i, frame, true)));
    this.wheels.instanceMatrix.needsUpdate = true;
  }

  /** Stored cable as windings on its drum, drawn anew when a twelfth of a turn has come or gone. */
  private wind(frame: Frame): void {
    frame.cables.forEach((cable, c) =>
      cable.windings.forEach((winding, w) => {
        const rotor = this.layout.rotors[winding.rotor];
        const turns = Math.round((12 * winding.stored) / (2 * Math.PI * rotor.radius)) / 12;
        const key = `${c} ${w}`;
        let shown = this.windings.get(key);
        if (!shown) {
          const mesh = new three.Mesh(new three.BufferGeometry(), this.paint(0x8a6a3d));
          mesh.matrixAutoUpdate = false;
          shown = { mesh, drawn: -1 };
          this.windings.set(key, shown);
          this.group.add(mesh);
        }
        if (turns !== shown.drawn && Number.isFinite(turns)) {
          shown.mesh.geometry.dispose();
          shown.mesh.visible = turns > 0;
          if (turns > 0) shown.mesh.geometry = windingGeometry(turns, rotor.radius, rotor.width, this.layout.cables[c].radius);
          shown.drawn = turns;
        }
        shown.mesh.matrix.copy(this.rotorMatrix(winding.rotor, frame, false));
        shown.mesh.matrixWorldNeedsUpdate = true;
      }),
    );
  }
}
