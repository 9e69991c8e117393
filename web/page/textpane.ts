/** The text of the scene. The editor that shows it is loaded when somebody wants to see it. */
import type { Problem } from '../src/index.js';
import type { Editor } from './editor.js';

export class TextPane {
  private editor: Editor | undefined;
  private loading: Promise<Editor> | undefined;
  private held = '';
  private problem: Problem | null = null;

  constructor(
    private readonly parent: HTMLElement,
    private readonly changed: (text: string) => void,
    private readonly apply: () => void,
  ) {}

  get text(): string {
    return this.editor?.text ?? this.held;
  }
  set text(text: string) {
    if (text === this.text) return;
    this.held = text;
    if (this.editor) this.editor.text = text;
    else this.changed(text);
  }

  /** Marks where a scene is wrong; null: it is not. */
  mark(problem: Problem | null): void {
    this.problem = problem;
    this.editor?.mark(problem);
  }
  /** Brings the place of a problem into sight. */
  async goto(problem: Problem): Promise<void> {
    (await this.show()).goto(problem);
  }

  show(): Promise<Editor> {
    this.loading ??= import('./editor.js').then(({ Editor }) => {
      const editor = new Editor(this.parent, this.held, this.changed, this.apply);
      this.editor = editor;
      editor.mark(this.problem);
      return editor;
    });
    return this.loading;
  }
}
