/** Short lessons: a live scene, a question, a slider, an answer. They are data, in web/lessons. */
import { el } from './dom.js';
import { withValue } from './jsontext.js';

export interface Lesson {
  title: string;
  question: string;
  /** What to do with the slider. */
  try: string;
  slider: { label: string; path: string[]; min: number; max: number; unit: string; logarithmic?: boolean };
  /** Observables to plot. */
  plots: { title: string; unit: string; observe: string[] }[];
  answer: string[];
  /** The shipped scene that it uses, with values put in at paths. */
  shipped: string;
  with?: [string[], unknown][];
}

const files = import.meta.glob<Lesson>('../lessons/*.json', { import: 'default' });

export interface LessonEntry {
  id: string;
  load(): Promise<Lesson>;
}

export const lessons: LessonEntry[] = Object.keys(files)
  .sort()
  .map((path) => ({ id: path.split('/').pop()!.replace('.json', ''), load: files[path] }));

/** The text of a lesson's scene: the shipped one with the lesson's plots and changes. */
export function sceneText(lesson: Lesson, shipped: string): string {
  const changes: [string[], unknown][] = [...(lesson.with ?? []), [['plots'], lesson.plots]];
  return changes.reduce((text, [path, value]) => withValue(text, path, value), shipped);
}

export async function showLessons(root: HTMLElement, choose: (id: string) => void): Promise<void> {
  const all = await Promise.all(lessons.map(async (entry) => ({ id: entry.id, lesson: await entry.load() })));
  root.replaceChildren(
    el(
      'ol',
      { class: 'lessons' },
      ...all.map(({ id, lesson }) =>
        el('li', {}, el('button', { class: 'card', type: 'button', 'data-lesson': id, onclick: () => choose(id) }, el('strong', { text: lesson.title }), el('span', { text: lesson.question }))),
      ),
    ),
  );
}

/** The lesson as a card beside its scene. */
export function lessonCard(lesson: Lesson, slider: HTMLElement, next: (() => void) | undefined): HTMLElement[] {
  const answer = el('details', {}, el('summary', { text: 'The answer' }), ...lesson.answer.map((text) => el('p', { text })));
  const parts = [el('h2', { text: lesson.title }), el('p', { class: 'question', text: lesson.question }), el('p', { text: lesson.try }), slider, answer];
  return next ? [...parts, el('button', { type: 'button', text: 'Next lesson', onclick: next })] : parts;
}
