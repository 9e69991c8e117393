/** Runs the physics, away from the page. Answers every request once. */
import { init, ReeveError, type Reeve } from '../dist/index.js';
import type { Answer, Request } from './protocol.js';
import { Run } from './run.js';

const starting: Promise<Reeve> = init();
let reeve: Reeve;
let run: Run | undefined;

function load(text: string, name: string): Run {
  const world = reeve.load(text, name); // the one before stays open if this one cannot be built
  run?.drop();
  return (run = new Run(reeve, world));
}

const inSI = (value: number | string): number => (typeof value === 'string' ? reeve.quantity(value) : value);

function need(): Run {
  if (!run) throw new Error('no scene is open');
  return run;
}

function answer(request: Request): Answer {
  switch (request.kind) {
    case 'load': {
      const next = load(request.text, request.name);
      return request.check ? { kind: 'checked' } : { kind: 'loaded', layout: next.world.layout, shown: next.show() };
    }
    case 'advance':
      need().advance(request.seconds, request.budget);
      break;
    case 'steps':
      for (let i = 0; i < request.count && need().step(); i++);
      break;
    case 'seek':
      need().seek(request.time);
      break;
    case 'watch':
      need().watch(request.paths);
      break;
    case 'cable':
      return { kind: 'cable', cable: need().world.cable(request.name) };
    case 'read':
      return { kind: 'numbers', numbers: need().world.readAll(request.paths) };
    case 'save':
      return { kind: 'text', text: need().world.save() };
    case 'restore':
      need().restore(request.state);
      break;
    case 'hash':
      return { kind: 'text', text: need().world.hash() };
    case 'grip':
      need().act(request);
      break;
    case 'set':
      need().act({ ...request, value: inSI(request.value) });
      break;
    case 'command':
      need().act({ ...request, target: request.target === null ? null : inSI(request.target) });
      break;
    case 'convert': {
      const conversion = need().act(request)!;
      return { kind: 'converted', conversion, shown: need().show() };
    }
    case 'swap': {
      const { world: other, scene } = need().world.swap(request.model);
      other.drop();
      return { kind: 'text', text: scene };
    }
    case 'overlay':
      need().overlay(request.model);
      break;
  }
  return { kind: 'shown', shown: need().show() };
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
  if ('shown' in reply) for (const list of [reply.shown.numbers, reply.shown.samples, reply.shown.ghost]) if (list) moved.push(list.buffer);
  postMessage(reply, { transfer: moved });
};
