/** Plots of observables while they happen: several at once, one cursor for all. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Layout } from '../src/index.js';
import { lineColor } from './colors.js';
import { el, short, unitOf } from './dom.js';
import type { Session } from './session.js';

interface Panel {
  title: string;
  unit: string;
  paths: string[];
  chart: uPlot;
  box: HTMLElement;
}

const MOST = 6000;

/** What distinguishes paths that are shown together: what they share in front and at the end is left out. */
export function shortLabels(paths: readonly string[]): string[] {
  if (paths.length < 2) return paths.map((path) => path.split('.').slice(1).join('.') || path);
  const words = paths.map((path) => path.split('.'));
  let same = 0;
  while (words.every((list) => list.length > same + 1 && list[same] === words[0][same])) same++;
  let end = 0;
  while (words.every((list) => list.length - end > same + 1 && list[list.length - 1 - end] === words[0][words[0].length - 1 - end])) end++;
  const before = words[0][same - 1] ?? '';
  return words.map((list) => {
    const label = list.slice(same, list.length - end).join('.');
    return /^\d/.test(label) && /^(spans|links|route)$/.test(before) ? `${before.replace(/s$/, '')} ${label}` : label;
  });
}

/** Labels that tell neighboring ticks apart. */
function tickLabels(ticks: number[]): string[] {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 1;
  const decimals = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 6);
  return ticks.map((tick) => (Math.abs(tick) >= 1e5 || step < 1e-5 ? short(tick) : tick.toFixed(decimals)));
}

export class Plots {
  private panels: Panel[] = [];
  private times: number[] = [];
  private columns = new Map<string, number[]>();
  private readonly list = el('div', { class: 'plot-list' });
  private readonly input = el('input', { list: 'paths', placeholder: 'bodies.load.position.z', 'aria-label': 'Observable to plot', id: 'plot-path', autocomplete: 'off' });
  private readonly choices = el('datalist', { id: 'paths' });
  private readonly trouble = el('p', { class: 'trouble', role: 'alert' });
  private due = false;

  constructor(
    root: HTMLElement,
    private readonly session: Session,
  ) {
    const form = el(
      'form',
      {
        class: 'row',
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.add(this.input.value.trim());
        },
      },
      this.input,
      el('button', { type: 'submit', text: 'Plot' }),
    );
    root.append(form, this.choices, this.trouble, this.list);
    new ResizeObserver(() => this.resize()).observe(this.list);
    session.on({
      opened: (layout) => void this.open(layout),
      shown: (frame, shown) => this.take(shown.samples, frame.time),
      relaid: (layout) => this.choices.replaceChildren(...layout.paths.map((path) => el('option', { value: path }))),
      problem: (problem) => {
        if (this.panels.length > 0) this.trouble.textContent = problem.line > 0 ? '' : `${problem.reason}. ${problem.remedy}`;
      },
    });
  }

  /** What was plotted, as the player of reports wants it. */
  recorded(): { plotTimes: number[]; panels: { title: string; unit: string; series: { label: string; values: (number | null)[] }[] }[] } {
    const finite = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null);
    const panels = this.panels.map(({ title, unit, paths }) => {
      const labels = shortLabels(paths);
      return { title: title || labels.join(', '), unit, series: paths.map((path, i) => ({ label: labels[i], values: (this.columns.get(path) ?? []).map(finite) })) };
    });
    return { plotTimes: [...this.times], panels };
  }

  /** Everything that was plotted, as CSV. */
  csv(): string {
    const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const paths = [...this.columns.keys()];
    const lines = [['time', ...paths].map(quote).join(',')];
    this.times.forEach((time, i) => {
      const row = paths.map((path) => this.columns.get(path)![i]);
      lines.push([time, ...row.map((value) => (Number.isFinite(value) ? value : ''))].join(','));
    });
    return lines.join('\n') + '\n';
  }

  async add(path: string): Promise<void> {
    this.trouble.textContent = '';
    if (!path || !this.session.layout) return;
    if (!this.session.layout.paths.includes(path) && !/^cables\./.test(path)) {
      this.trouble.textContent = `There is no observable "${path}" in this scene. Choose one of the list.`;
      return;
    }
    this.panel(path, unitOf(path), [path]);
    this.input.value = '';
    await this.rewatch();
  }

  private async open(layout: Layout): Promise<void> {
    const before = this.panels.map((panel) => panel.paths);
    const same = before.length > 0 && before.flat().every((path) => layout.paths.includes(path));
    for (const panel of this.panels) panel.chart.destroy();
    const kept = same ? this.panels.map(({ title, unit, paths }) => ({ title, unit, observe: paths })) : undefined;
    this.panels = [];
    this.list.replaceChildren();
    this.trouble.textContent = '';
    this.choices.replaceChildren(...layout.paths.map((path) => el('option', { value: path })));
    const cables = layout.cables.slice(0, 3).map((cable) => `cables.${cable.name}.spans.0.tension`);
    const fallback = [{ title: 'Energy', unit: 'J', observe: ['energy.kinetic', 'energy.potential', 'energy.elastic', 'energy.total'] }];
    if (cables.length > 0) fallback.unshift({ title: 'Tension', unit: 'N', observe: cables });
    const wanted = kept ?? (layout.plots.length > 0 ? layout.plots : fallback);
    for (const plot of wanted.slice(0, 6)) this.panel(plot.title, plot.unit || unitOf(plot.observe[0] ?? ''), plot.observe.slice(0, 7));
    await this.rewatch();
  }

  private async rewatch(): Promise<void> {
    const paths = [...new Set(this.panels.flatMap((panel) => panel.paths))];
    this.times = [];
    this.columns = new Map(paths.map((path) => [path, []]));
    await this.session.watch(paths);
  }

  private panel(title: string, unit: string, paths: string[]): void {
    const labels = shortLabels(paths);
    const box = el('figure', { class: 'plot' });
    const head = el('figcaption', {}, el('span', { text: `${title || labels.join(', ')}${unit ? ` (${unit})` : ''}` }));
    const close = el('button', { class: 'quiet', 'aria-label': `Remove the plot ${title || labels[0]}`, text: '×' });
    head.append(close);
    box.append(head);
    this.list.append(box);
    const ink = () => getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
    const faint = () => getComputedStyle(document.documentElement).getPropertyValue('--line').trim();
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 }, font: '11px system-ui' };
    const chart = new uPlot(
      {
        width: Math.max(this.list.clientWidth - 4, 240),
        height: 150,
        pxAlign: 0,
        cursor: { sync: { key: 'plots' } },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 30 }, { ...axis, size: 56, values: (_, ticks) => tickLabels(ticks) }],
        series: [
          { label: 's', value: (_, v) => (v === null ? '–' : v.toFixed(3)) },
          ...paths.map((_, i) => ({ label: labels[i], stroke: lineColor(i), width: 1.6, points: { show: false }, value: (_u: uPlot, v: number | null) => (v === null ? '–' : short(v)) })),
        ],
      },
      [[], ...paths.map(() => [])] as unknown as uPlot.AlignedData,
      box,
    );
    const panel: Panel = { title, unit, paths, chart, box };
    close.addEventListener('click', () => {
      this.panels = this.panels.filter((other) => other !== panel);
      chart.destroy();
      box.remove();
      void this.rewatch();
    });
    this.panels.push(panel);
  }

  private take(samples: Float64Array, now: number): void {
    const paths = [...this.columns.keys()];
    const stride = paths.length + 1;
    // After going back, what came later is no longer true.
    let keep = this.times.length;
    while (keep > 0 && this.times[keep - 1] > now + 1e-9) keep--;
    if (keep < this.times.length) {
      this.times.length = keep;
      for (const column of this.columns.values()) column.length = keep;
    }
    for (let i = 0; i + stride <= samples.length; i += stride) {
      const last = this.times[this.times.length - 1] ?? -Infinity;
      if (samples[i] <= last) continue;
      this.times.push(samples[i]);
      paths.forEach((path, k) => this.columns.get(path)!.push(samples[i + 1 + k]));
    }
    if (this.times.length > MOST) this.thin();
    this.draw();
  }

  private thin(): void {
    const half = (list: number[]) => list.filter((_, i) => i % 2 === 0);
    this.times = half(this.times);
    for (const [path, column] of this.columns) this.columns.set(path, half(column));
  }

  /** At most ten times a second, and only what is seen. */
  private draw(): void {
    if (this.due) return;
    this.due = true;
    setTimeout(() => {
      this.due = false;
      if (this.list.offsetParent === null) return;
      for (const panel of this.panels) {
        const data = [this.times, ...panel.paths.map((path) => this.columns.get(path) ?? [])];
        panel.chart.setData(data as uPlot.AlignedData);
        // Without a cursor the legend says what is now.
        if (panel.chart.cursor.idx == null && this.times.length > 0) panel.chart.setLegend({ idx: this.times.length - 1 }, false);
      }
    }, 100);
  }

  resize(): void {
    for (const panel of this.panels) panel.chart.setSize({ width: Math.max(this.list.clientWidth - 4, 240), height: 150 });
    this.draw();
  }
}
