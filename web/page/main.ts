/** Puts the playground together. */
import './style.css';
import type { CableModel, Frame, Layout, Problem, Vec3 } from '../src/index.js';
import { Controls, type Change } from './controls.js';
import { withCurve } from './curve.js';
import { byId, download, el, precise, short } from './dom.js';
import { loadIndex, showGallery } from './gallery.js';
import { fromSlider, knobFor, quantity, type Knob } from './knobs.js';
import { valueAt, withoutValue, withValue } from './jsontext.js';
import { lessonCard, lessons, sceneText, showLessons } from './lessons.js';
import { Numbers } from './numbers.js';
import { Physics } from './physics.js';
import { Plots } from './plots.js';
import { Session, type OpenOptions } from './session.js';
import { pack, unpack } from './share.js';
import { tabs } from './tabs.js';
import { TextPane } from './textpane.js';
import { transport } from './transport.js';
import { Viewport } from './viewport.js';

const worker = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const session = new Session(new Physics(worker));
const checker = new Physics(worker, 5_000);

const numbers = new Numbers(byId('panel-numbers'), session, (path) => void (openTab('tab-plots'), plots.add(path)), (way) => void viewport.nudge(way), (chosen) => viewport.select(chosen));
const viewport = new Viewport(session, (chosen) => {
  numbers.choose(chosen);
  if (chosen && byId('panel-text').hidden && byId('panel-plots').hidden) openTab('tab-numbers');
}, (curve) => change((text) => withCurve(text, curve)));
const plots = new Plots(byId('panel-plots'), session);
const openTab = tabs(document.querySelector<HTMLElement>('[role=tablist]')!, (id) => {
  if (id === 'tab-plots') plots.resize();
  if (id === 'tab-text') void editor.show();
  numbers.choose(viewport.chosen);
});

/** Where the text comes from: a shipped scene, a file, a link, a lesson. Reset and Revert go back to it. */
let original = '';
/** Frames of the last seconds, for the export of a run. */
let frames: Frame[] = [];

// ---- what is said to people

/** Good news goes by itself. */
let saying: ReturnType<typeof setTimeout> | undefined;
function say(text: string, bad = false, offer?: { text: string; run: () => void }): void {
  const box = byId('message');
  box.textContent = text;
  if (offer) box.append(' ', el('button', { type: 'button', class: 'small', text: offer.text, onclick: offer.run }));
  box.className = bad ? 'bad' : '';
  clearTimeout(saying);
  if (!bad && text) saying = setTimeout(() => box.textContent === text && (box.textContent = ''), 4_000 + 60 * text.length);
}

function showProblem(problem: Problem | null): void {
  const box = byId('problem');
  box.hidden = problem === null;
  editor.mark(problem);
  if (!problem) return;
  const place = problem.line > 0 ? `Line ${problem.line}: ` : '';
  box.textContent = `${place}${problem.path ? `${problem.path}: ` : ''}${problem.reason}${problem.remedy ? `. ${problem.remedy}` : ''}`;
  box.onclick = () => void editor.goto(problem);
}

// ---- the text of the scene

let checking: ReturnType<typeof setTimeout> | undefined;
const editor = new TextPane(
  byId('editor'),
  (text) => {
    localStorage.setItem('reeve.work', JSON.stringify({ name: session.name, text }));
    clearTimeout(checking);
    checking = setTimeout(() => void check(text), 350);
  },
  () => void apply(),
);

async function check(text: string): Promise<void> {
  try {
    const answer = await checker.ask({ kind: 'load', text, name: session.name, check: true });
    if (text === editor.text) showProblem(answer.kind === 'problem' ? answer.problem : null);
  } catch (error) {
    showProblem({ path: '', reason: String((error as Error).message), remedy: '', line: 0, column: 0 });
  }
}

async function apply(): Promise<void> {
  say('');
  await session.open(editor.text, session.name, { keepView: true, play: true });
}

const change: Change = (edit, live) => {
  const text = edit(session.text);
  void (async () => {
    const running = session.playing;
    if (live && (await session.set(live.path.join('.'), live.value))) {
      session.text = text;
      editor.text = text;
      return say('Changed from here on; after a reset it is so from the start.');
    }
    if (await session.open(text, session.name, { keepView: true, play: running })) say('Built anew with this change: it starts again.');
  })();
};
const controls = new Controls(byId('panel-controls'), change, (cable, model) => void (cable === null ? swapAll(model) : swap(cable, model)), (model) => void overlay(model), (motor, target) => void session.command(motor, target));

/** All cables in another model: the scene is built with it and starts again. */
async function swapAll(model: CableModel): Promise<void> {
  const running = session.playing;
  const text = await session.swapped(model);
  if (text !== undefined && (await session.open(text, session.name, { keepView: true, play: running }))) say(`All cables are of model ${model} now; the scene was built anew.`);
}

/** A cable goes on in another model from here, and the text says so if it can be built with it from the start. */
async function swap(cable: string, model: CableModel): Promise<void> {
  const was = session.layout?.cables.find((one) => one.name === cable)?.model;
  const done = await session.convert(cable, model);
  if (!done) return;
  if ('reason' in done) {
    showControls(session.layout!);
    return say(`Cable ${cable} stays ${was}: ${done.reason}${done.remedy ? `; ${done.remedy}` : ''}.`, true, { text: `Start again as ${model}`, run: () => void restartAs(cable, model) });
  }
  const energy = `energy ${precise(done.before)} J before, ${precise(done.after)} J after`;
  const time = session.frame!.time;
  tellEvent(time, `cables.${cable} goes on as ${model}: ${energy}`);
  const assumed = done.notes.some(({ path }) => path.endsWith('/material/mass')) ? ` It has no mass in the scene: ${short(done.mass)} kg/m are assumed.` : '';
  const left = done.notes.filter(({ path }) => !path.endsWith('/material/mass')).map(({ path }) => path.split('/').slice(3).join('.'));
  say(`Cable ${cable} goes on as ${model}, positions and length as they were; ${energy}.${assumed}${left.length > 0 ? ` Left out, since it does nothing there: ${left.join(', ')}.` : ''}`);
  let text = withValue(session.text, ['cables', cable, 'model'], model);
  for (const { path } of done.notes) {
    const field = path.split('/').slice(1);
    text = path.endsWith('/material/mass') ? withValue(text, field, done.mass) : withoutValue(text, field);
  }
  const answer = await checker.ask({ kind: 'load', text, name: session.name, check: true }).catch(() => undefined);
  if (answer?.kind === 'checked') session.text = editor.text = text;
}

async function restartAs(cable: string, model: CableModel): Promise<void> {
  const text = withValue(session.text, ['cables', cable, 'model'], model);
  if (await session.open(text, session.name, { keepView: true, play: true })) say(`Cable ${cable} is of model ${model} now; the scene was built anew.`);
}

async function overlay(model: CableModel | null): Promise<void> {
  await session.overlay(model);
  const shown = session.ghost !== undefined;
  byId('legend-ghost').textContent = shown ? `seen through: ${model}` : '';
  if (shown) say(`The same scene twice, at the same time: what you see through has its cables as ${model}.`);
}

// ---- opening

async function open(text: string, name: string, how: OpenOptions = { play: true }): Promise<boolean> {
  say('');
  original = text;
  byId('lesson').hidden = true;
  const work = workInProgress();
  editor.text = text;
  keepWork(work);
  const opened = await session.open(text, name, how);
  if (!opened) byId('scene-name').textContent = name;
  if (opened && work && work.text !== text) say(`What you changed in ${work.name} is kept.`, false, { text: 'Back to it', run: () => void resume(work) });
  return opened;
}

interface Work {
  name: string;
  text: string;
}
const workInProgress = (): Work | null => JSON.parse(localStorage.getItem('reeve.work') ?? 'null') as Work | null;
/** Until something is changed again. */
function keepWork(work: Work | null): void {
  if (work) localStorage.setItem('reeve.work', JSON.stringify(work));
  else localStorage.removeItem('reeve.work');
}
async function resume(work: Work): Promise<void> {
  history.replaceState(null, '', location.pathname + location.search);
  byId('lesson').hidden = true;
  editor.text = original = work.text;
  if (await session.open(work.text, work.name, {})) say('This is your work from last time.');
  keepWork(work);
}

async function openShipped(file: string): Promise<void> {
  const answer = await fetch(`scenes/${encodeURIComponent(file)}.json`);
  if (!answer.ok) return say(`There is no scene "${file}".`, true);
  await open(await answer.text(), file);
}

async function openLesson(id: string): Promise<void> {
  const at = lessons.findIndex((lesson) => lesson.id === id);
  if (at < 0) return say(`There is no lesson "${id}".`, true);
  const lesson = await lessons[at].load();
  const shipped = await fetch(`scenes/${lesson.shipped}.json`);
  if (!shipped.ok) return say(`The scene "${lesson.shipped}" is missing.`, true);
  const text = sceneText(lesson, await shipped.text());
  await open(text, id);
  const { slider } = lesson;
  const found = quantity(valueAt(text, slider.path)) ?? { value: slider.min, suffix: '' };
  const knob: Knob = { ...knobFor(slider.label, slider.path, found, slider.unit, [slider.min, slider.max]), logarithmic: slider.logarithmic ?? false };
  const next = lessons[at + 1];
  byId('lesson').replaceChildren(...lessonCard(lesson, controls.slider(knob), next && (() => go(`lesson=${next.id}`))));
  byId('lesson').hidden = false;
  openTab('tab-plots');
}

/** Opens what the address asks for: #scene=crane, #lesson=01-..., #z=PACKED, #view. */
async function route(): Promise<void> {
  const [key, value = ''] = location.hash.slice(1).split('=');
  if (key === 'scene') return openShipped(decodeURIComponent(value));
  if (key === 'lesson') return openLesson(decodeURIComponent(value));
  if (key === 'view') return watchFile();
  if (key === 'z') {
    const text = await unpack(value);
    if (text === undefined) {
      await openShipped('crane');
      return say('This link is damaged: it carries no scene.', true);
    }
    await open(text, 'link');
    return;
  }
  const work = workInProgress();
  return work ? resume(work) : openShipped('crane');
}
function go(hash: string): void {
  byId<HTMLDialogElement>('dialog').close();
  if (location.hash === `#${hash}`) void route();
  else location.hash = hash;
}
window.addEventListener('hashchange', () => void route());

/** With `reeve view SCENE`: the scene of the server, again whenever its file changes. */
async function watchFile(seen = ''): Promise<void> {
  const answer = await fetch('view/scene', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) {
    const text = await answer.text();
    if (text !== seen) {
      const name = decodeURIComponent(answer.headers.get('x-scene') ?? 'scene');
      await open(text, name, { keepView: seen !== '', play: true });
      seen = text;
    }
  }
  setTimeout(() => {
    if (location.hash === '#view') void watchFile(seen);
  }, 700);
}

// ---- what the session tells

function tellEvent(time: number, what: string): void {
  const list = byId('events');
  list.append(el('li', { text: `${time.toFixed(3)} s: ${what}`, 'data-time': time }));
  while (list.children.length > 300) list.firstElementChild!.remove();
}
/** After going back, what came later has not happened. */
function forgetEvents(time: number): void {
  const list = byId('events');
  while (list.lastElementChild && Number((list.lastElementChild as HTMLElement).dataset.time) > time + 1e-9) list.lastElementChild.remove();
}

function showControls(layout: Layout, changed = true): void {
  controls.open(session.text, layout, changed, (cable): Vec3 => {
    const { points } = session.frame!.cables[layout.cables.findIndex((one) => one.name === cable)];
    const i = 4 * Math.floor(points.length / 8);
    return [points[i] ?? 0, points[i + 1] ?? 0, points[i + 2] ?? 0];
  });
  if (!session.ghost) byId('legend-ghost').textContent = '';
}

session.on({
  opened: (layout, frame, how) => {
    byId('scene-name').textContent = layout.name;
    document.title = `${layout.name} – Reeve`;
    editor.text = session.text;
    showProblem(null);
    say('');
    showControls(layout, how.keepView ?? false);
    byId('events').replaceChildren();
    frames = [frame];
    numbers.choose(undefined);
  },
  shown: (frame, shown) => {
    if (shown.note) say(shown.note, true);
    if (!shown.ghost && viewport.stage.ghostShown) byId('legend-ghost').textContent = '';
    forgetEvents(frame.time);
    while (frames.length > 0 && frames[frames.length - 1].time > frame.time) frames.pop();
    if (frame.time - (frames[frames.length - 1]?.time ?? -1) > 1 / 40) frames.push(frame);
    if (frames.length > 400) frames.splice(0, frames.length - 400);
    for (const event of shown.events) tellEvent(event.time, `${event.subject} ${event.what}`);
  },
  relaid: (layout) => showControls(layout),
  problem: (problem) => {
    showProblem(problem);
    if (problem.line > 0) openTab('tab-text');
    say(`This scene cannot be built: ${problem.reason}`, true);
  },
  broke: (message) => say(`${message}. Reset opens it again.`.replace('..', '.'), true),
  ended: (message) => say(message, !session.shown?.verdict.good),
  playing: (on) => on && say(''),
});
transport(session);

// ---- buttons

const dialog = byId<HTMLDialogElement>('dialog');
function showDialog(title: string): HTMLElement {
  byId('dialog-title').textContent = title;
  dialog.showModal();
  return byId('dialog-body');
}
byId('dialog-close').onclick = () => dialog.close();
byId('show-scenes').onclick = async () => showGallery(showDialog('Scenes'), await loadIndex(), (file) => go(`scene=${encodeURIComponent(file)}`));
byId('show-lessons').onclick = () => void showLessons(showDialog('Lessons'), (id) => go(`lesson=${id}`));
byId('apply').onclick = () => void apply();
byId('revert').onclick = () => {
  editor.text = original;
  void apply();
};
byId('open-file').onclick = () => byId('file').click();
byId<HTMLInputElement>('file').onchange = async (event) => {
  const file = (event.target as HTMLInputElement).files?.[0];
  if (!file) return;
  history.replaceState(null, '', location.pathname + location.search);
  await open(await file.text(), file.name.replace(/\.json$/, ''));
  localStorage.setItem('reeve.work', JSON.stringify({ name: session.name, text: editor.text }));
};
byId('save-file').onclick = () => download(`${session.name || 'scene'}.json`, editor.text, 'application/json');
byId('share').onclick = async () => {
  const address = `${location.origin}${location.pathname}#z=${await pack(editor.text)}`;
  history.replaceState(null, '', address);
  const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  say(copied ? 'The link is copied: it carries the whole scene.' : 'The address of this page now carries the whole scene.');
};
const menu = byId<HTMLDetailsElement>('export-menu');
/** The last seconds up to what is seen now. */
const recorded = (): Frame[] => (session.frame && session.frame.time > frames[frames.length - 1].time ? [...frames, session.frame] : frames);
const exported = (work: () => void | Promise<void>) => async () => {
  menu.open = false;
  await work();
};
byId('export-csv').onclick = exported(() => download(`${session.name}.csv`, plots.csv(), 'text/csv'));
byId('export-png').onclick = exported(() => {
  viewport.stage.draw();
  viewport.stage.canvas.toBlob((blob) => blob && download(`${session.name}.png`, blob, 'image/png'));
});
byId('export-glb').onclick = exported(async () => {
  session.pause();
  const { exportGlb } = await import('./gltf.js');
  download(`${session.name}.glb`, await exportGlb(viewport.stage, recorded()), 'model/gltf-binary');
  if (session.frame) viewport.setTheme(isDark());
});
byId('export-html').onclick = exported(async () => {
  session.pause();
  const { replayHtml } = await import('./replay.js');
  const hash = await session.words({ kind: 'hash' });
  download(`${session.name}.html`, replayHtml({ layout: session.layout!, frames: recorded(), ...plots.recorded(), hash }), 'text/html');
});
byId('export-state').onclick = exported(async () => {
  download(`${session.name}.state`, await session.words({ kind: 'save' }), 'text/plain');
  if (session.built === session.text) return;
  download(`${session.name}-as-built.json`, session.built, 'application/json');
  say('The state belongs to the scene as it was built, before what was changed while it ran: that scene is saved beside it.');
});

// ---- light and dark

const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';
function setTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  viewport.setTheme(dark);
  plots.resize();
}
byId('theme').onclick = () => {
  setTheme(!isDark());
  localStorage.setItem('reeve.theme', isDark() ? 'dark' : 'light');
};
setTheme((localStorage.getItem('reeve.theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark');

// For consoles and tests.
Object.assign(window, { playground: { session, viewport, plots, editor, fromSlider } });

void route();
