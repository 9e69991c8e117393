/** Runs the physics, away from the page. Answers every request once. */
import { init, ReeveError, type Reeve, type World } from '../dist/index.js';
import type { CableModel } from '../dist/index.js';
import type { Answer, Grip, Request, Shown } from './protocol.js';
import { Timeline } from './timeline.js';

const starting: Promise<Reeve> = init();
const timeline = new Timeline();
let reeve: Reeve;
let world: World | undefined;
/** A second world of the same scene with another model of cables, and its states. */
let ghost: World | undefined;
const ghostLine = new Timeline();
let note = '';
let watched: string[] = [];
let samples: number[] = [];
/** s between samples of the plots. */
let spacing = 1 / 60;
let sampled = -Infinity;
let cost = 0;
let gripped = false;

function sample(force = false): void {
  if (!world || (!force && world.time < sampled + spacing * 0.999)) return;
  sampled = world.time;
  samples.push(world.time, ...world.readAll(watched));
}

function keep(): void {
  if (!world || !timeline.wants(world.time)) return;
  timeline.keep(world.time, world.steps, world.save());
  if (ghost) ghostLine.keep(ghost.time, ghost.steps, ghost.save());
}

/** One step, with what belongs to it. False when the run went bad. */
function stepOnce(now: World): boolean {
  const good = now.step(1) === 1;
  if (good && ghost && ghost.step(1) !== 1) {
    const { culprit, reason, time } = ghost.verdict();
    dropGhost(`The overlaid model went bad at ${time.toFixed(3)} s: ${culprit} ${reason}.`);
  }
  sample();
  if (good) keep();
  return good;
}

function dropGhost(why = ''): void {
  ghost?.drop();
  ghost = undefined;
  ghostLine.clear();
  note = why;
}

function show(now: World): Shown {
  const taken = new Float64Array(samples);
  samples = [];
  const said = note;
  note = '';
  return {
    numbers: now.draw(),
    samples: taken,
    events: now.events().slice(0, 100),
    verdict: now.verdict(),
    range: timeline.range,
    cost,
    pull: gripped ? now.pull() : null,
    memory: reeve.memory,
    ghost: ghost?.draw() ?? null,
    note: said,
  };
}

function load(text: string, name: string): World {
  dropGhost();
  world?.drop();
  world = undefined;
  const next = reeve.load(text, name);
  world = next;
  watched = [];
  samples = [];
  sampled = -Infinity;
  cost = 0;
  gripped = false;
  spacing = Math.max(next.layout.settings.dt, 1 / 60);
  timeline.clear();
  keep();
  return next;
}

function advance(now: World, seconds: number, budget: number): void {
  const from = performance.now();
  const until = now.time + seconds - now.layout.settings.dt / 2;
  timeline.cut(now.time);
  ghostLine.cut(now.time);
  let steps = 0;
  while (now.time < until && stepOnce(now)) {
    steps++;
    if (performance.now() - from > budget) break;
  }
  if (steps > 0) cost += 0.2 * ((performance.now() - from) / steps - cost);
}

function seek(now: World, time: number): void {
  const start = timeline.before(time);
  if (!start) return;
  now.restore(new TextDecoder().decode(start.state));
  now.events();
  samples = [];
  while (now.time < time - now.layout.settings.dt / 2 && now.step(1) === 1);
  seekGhost(now);
  sampled = now.time;
}

/** Takes the overlaid world to the time of the other; it has no past before it was made. */
function seekGhost(now: World): void {
  const start = ghost && ghostLine.before(now.time);
  if (!ghost || !start) return;
  const half = ghost.layout.settings.dt / 2;
  if (start.time > now.time + half) return dropGhost('The overlaid model begins later than this.');
  ghost.restore(new TextDecoder().decode(start.state));
  while (ghost.time < now.time - half && ghost.step(1) === 1);
}

/** The scene in another model, run from its start to where the other world is. */
function follower(now: World, model: CableModel): World {
  const other = now.swap(model).world;
  while (other.time < now.time - now.layout.settings.dt / 2 && other.step(1) === 1);
  return other;
}

function hold(now: World, { kind, index, point, along, target }: Grip): void {
  if (kind === 'cable') now.grip({ cable: now.layout.cables[index].name, along }, target);
  else now.grip({ body: now.layout.bodies[index].name, point }, target);
}

function need(): World {
  if (!world) throw new Error('no scene is open');
  return world;
}

function answer(request: Request): Answer {
  switch (request.kind) {
    case 'load': {
      const next = load(request.text, request.name);
      return request.check ? { kind: 'checked' } : { kind: 'loaded', layout: next.layout, shown: show(next) };
    }
    case 'advance':
      advance(need(), request.seconds, request.budget);
      break;
    case 'steps':
      timeline.cut(need().time);
      ghostLine.cut(need().time);
      for (let i = 0; i < request.count && stepOnce(need()); i++);
      break;
    case 'seek':
      seek(need(), request.time);
      break;
    case 'watch':
      need().readAll(request.paths); // throws on a path that is none
      watched = request.paths;
      samples = [];
      sample(true);
      break;
    case 'cable':
      return { kind: 'cable', cable: need().cable(request.name) };
    case 'save':
      return { kind: 'text', text: need().save() };
    case 'restore':
      need().restore(request.state);
      timeline.clear();
      keep();
      break;
    case 'hash':
      return { kind: 'text', text: need().hash() };
    case 'grip':
      gripped = request.grip !== null;
      for (const one of ghost ? [need(), ghost] : [need()])
        if (request.grip) hold(one, request.grip);
        else one.letGo();
      break;
    case 'set':
      need().set(request.path, request.value);
      ghost?.set(request.path, request.value);
      break;
    case 'swap': {
      const { world: other, scene } = need().swap(request.model);
      other.drop();
      return { kind: 'text', text: scene };
    }
    case 'overlay':
      dropGhost();
      if (request.model === null) break;
      ghost = follower(need(), request.model);
      ghostLine.keep(ghost.time, ghost.steps, ghost.save());
      break;
  }
  return { kind: 'shown', shown: show(need()) };
}

self.onmessage = async (event: MessageEvent<Request>) => {
  let reply: Answer;
  try {
    reeve = await starting;
    reply = answer(event.data);
  } catch (error) {
    reply =
      error instanceof ReeveError
        ? { kind: 'problem', problem: error.problem }
        : { kind: 'failure', message: `the simulation stopped: ${error instanceof Error ? error.message : String(error)}` };
  }
  const moved: Transferable[] = [];
  if (reply.kind === 'shown' || reply.kind === 'loaded')
    for (const list of [reply.shown.numbers, reply.shown.samples, reply.shown.ghost]) if (list) moved.push(list.buffer);
  postMessage(reply, { transfer: moved });
};
