/** What of a scene is worth turning: numbers of it that become sliders. */
import { valueAt } from './jsontext.js';

export interface Knob {
  label: string;
  /** Keys and indices in the scene. */
  path: string[];
  value: number;
  /** What stands behind the number in the scene: " cm". Empty for plain numbers. */
  suffix: string;
  unit: string;
  min: number;
  max: number;
  /** Equal steps of the slider are equal factors. */
  logarithmic: boolean;
}

/** A number, or a text such as "20 cm" or "1/240 s". */
export function quantity(value: unknown): { value: number; suffix: string } | undefined {
  if (typeof value === 'number') return { value, suffix: '' };
  if (typeof value !== 'string') return undefined;
  const match = /^ *(-?[\d.]+(?:[eE][-+]?\d+)?)(?: *\/ *(\d[\d.]*))?( *[^\d\s.].*)?$/.exec(value);
  if (!match) return undefined;
  const number = Number(match[1]) / (match[2] ? Number(match[2]) : 1);
  return Number.isFinite(number) ? { value: number, suffix: match[3] ?? '' } : undefined;
}

/** Back to what a scene has. */
export function written(knob: Pick<Knob, 'suffix'>, value: number): number | string {
  const rounded = Number(value.toPrecision(6));
  return knob.suffix ? `${rounded}${knob.suffix}` : rounded;
}

type Json = Record<string, unknown>;
const entries = (value: unknown): [string, Json][] =>
  value && typeof value === 'object' && !Array.isArray(value) ? (Object.entries(value) as [string, Json][]) : [];

interface Wanted {
  path: string[];
  label: string;
  unit: string;
  range?: [number, number];
}

function wantedOf(scene: Json): Wanted[] {
  const list: Wanted[] = [];
  const add = (path: string[], label: string, unit: string, range?: [number, number]) => list.push({ path, label, unit, range });
  for (const [name] of entries(scene.parameters)) add(['parameters', name], name, '');
  for (const [name, motor] of entries(scene.motors)) {
    if (typeof motor.target !== 'object') add(['motors', name, 'target'], `Motor ${name}: target`, '');
    else for (const key of ['offset', 'rate', 'amplitude', 'frequency']) add(['motors', name, 'target', key], `Motor ${name}: ${key}`, '');
    add(['motors', name, 'max_force'], `Motor ${name}: greatest force`, '');
  }
  for (const [name, body] of entries(scene.bodies)) if (body.motion === undefined || body.motion === 'dynamic') add(['bodies', name, 'mass'], `Body ${name}: mass`, 'kg');
  for (const [name] of entries(scene.forces)) for (const k of [0, 1, 2]) add(['forces', name, 'force', String(k)], `Force ${name}: ${'xyz'[k]}`, 'N');
  for (const [name, cable] of entries(scene.cables)) {
    const route = Array.isArray(cable.route) ? (cable.route as Json[]) : [];
    route.forEach((link, i) => {
      if (link.friction !== undefined) add(['cables', name, 'route', String(i), 'friction'], `Cable ${name}: friction on ${String(link.on ?? 'world')}, link ${i}`, '', [0, 1]);
    });
    for (const [key, unit] of [['tension', 'N'], ['slack', 'm'], ['length', 'm'], ['compliance', 'm/N']])
      add(['cables', name, key], `Cable ${name}: ${key}`, unit);
    for (const [key, unit] of [['mass', 'kg/m'], ['axial', 'N'], ['bending', 'N m²'], ['torsion', 'N m²'], ['damping', 's'], ['breaking', 'N']])
      add(['cables', name, 'material', key], `Cable ${name}: ${key}`, unit);
  }
  for (const [name] of entries(scene.rotors))
    for (const [key, unit] of [['inertia', 'kg m²'], ['mass', 'kg'], ['torque', 'N m'], ['friction', 'N m'], ['damping', 'N m s/rad'], ['brake', 'N m']])
      add(['rotors', name, key], `Wheel ${name}: ${key}`, unit);
  for (const [name] of entries(scene.joints)) for (const key of ['viscous', 'friction', 'brake']) add(['joints', name, key], `Joint ${name}: ${key}`, '');
  return list;
}

/** The knobs of a scene, the most telling first: parameters, motors, masses, forces, cables, wheels. */
export function knobsOf(text: string, most = 24): Knob[] {
  let scene: Json;
  try {
    scene = JSON.parse(text) as Json;
  } catch {
    return [];
  }
  const knobs: Knob[] = [];
  for (const { path, label, unit, range } of wantedOf(scene)) {
    const found = quantity(valueAt(text, path));
    if (!found || knobs.length >= most) continue;
    knobs.push(knobFor(label, path, found, unit, range));
  }
  return knobs;
}

/** What a motor can be told by hand: a slider about zero, as wide as what the scene tells it. */
export function commandOf(text: string, motor: string): Knob {
  const target = valueAt(text, ['motors', motor, 'target']);
  const profile = (target && typeof target === 'object' ? target : {}) as { table?: [unknown, unknown][]; offset?: unknown; amplitude?: unknown };
  const told = typeof target === 'object' ? [...(profile.table ?? []).map((row) => row[1]), profile.offset, profile.amplitude] : [target];
  const values = told.map(quantity).filter((one) => one !== undefined);
  const size = Math.max(...values.map(({ value }) => Math.abs(value)), 0) || 1;
  const suffix = values[0]?.suffix ?? '';
  return { label: `Motor ${motor}`, path: ['motors', motor], value: 0, suffix, unit: suffix.trim(), min: -1.5 * size, max: 1.5 * size, logarithmic: false };
}

export function knobFor(
  label: string,
  path: string[],
  found: { value: number; suffix: string },
  unit: string,
  range?: [number, number],
): Knob {
  const { value, suffix } = found;
  const shownUnit = suffix.trim() || unit;
  if (range) return { label, path, value, suffix, unit: shownUnit, min: range[0], max: Math.max(range[1], value), logarithmic: false };
  if (value > 0) return { label, path, value, suffix, unit: shownUnit, min: value / 10, max: value * 10, logarithmic: true };
  const size = value === 0 ? 1 : -value;
  return { label, path, value, suffix, unit: shownUnit, min: -4 * size, max: 4 * size, logarithmic: false };
}

/** Slider positions run from 0 to 1. */
export const toSlider = (knob: Knob, value: number): number =>
  knob.logarithmic ? Math.log(value / knob.min) / Math.log(knob.max / knob.min) : (value - knob.min) / (knob.max - knob.min);
export const fromSlider = (knob: Knob, at: number): number =>
  knob.logarithmic ? knob.min * (knob.max / knob.min) ** at : knob.min + at * (knob.max - knob.min);
