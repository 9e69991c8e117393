/** The scene as text: completion from the schema, errors at their line, nothing lost when it is wrong. */
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, defaultHighlightStyle, foldGutter, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Problem } from '../src/index.js';
import schemaText from '../../scenes/schema.json';
import { keysAt, wordsAt, type Schema } from './schema.js';

/** The keys and indices that lead to a node of the syntax tree. */
function pathTo(node: SyntaxNode | null, text: (from: number, to: number) => string): string[] {
  const path: string[] = [];
  for (let at = node; at; at = at.parent) {
    if (at.name === 'Property') {
      const name = at.getChild('PropertyName');
      if (name) path.unshift(text(name.from, name.to).replace(/^"|"$/g, ''));
    } else if (at.parent?.name === 'Array') {
      let index = 0;
      for (let before = at.prevSibling; before; before = before.prevSibling) if (!/^[[\],⚠]$/.test(before.name)) index++;
      path.unshift(String(index));
    }
  }
  return path;
}

export function complete(schema: () => Schema | undefined, context: CompletionContext): CompletionResult | null {
  const root = schema();
  if (!root) return null;
  const word = context.matchBefore(/"?[\w$-]*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const slice = (from: number, to: number) => context.state.sliceDoc(from, to);
  const before = slice(Math.max(0, word.from - 200), word.from).trimEnd();
  const node = syntaxTree(context.state).resolveInner(word.from, word.from > 0 && !context.explicit ? 1 : -1);
  const value = before.endsWith(':');
  let options: Completion[];
  if (value || before.endsWith('[')) {
    const key = /"([^"]*)"\s*:$/.exec(before)?.[1];
    const path = pathTo(objectAround(node), slice);
    options = wordsAt(root, key ? [...path, key] : path).map((label) => ({ label, type: 'constant' }));
  } else {
    const path = pathTo(objectAround(node), slice);
    options = keysAt(root, path).map(({ label, info }) => ({ label: `"${label}"`, info, type: 'property', apply: `"${label}": ` }));
  }
  return options.length > 0 ? { from: word.from, options, validFor: /^"?[\w$-]*"?$/ } : null;
}

function objectAround(node: SyntaxNode): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  while (at && at.name !== 'Object' && at.name !== 'Array') at = at.parent;
  return at;
}

export class Editor {
  readonly view: EditorView;

  constructor(
    parent: HTMLElement,
    text: string,
    private readonly changed: (text: string) => void,
    apply: () => void,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          indentUnit.of('  '),
          json(),
          syntaxHighlighting(defaultHighlightStyle),
          lintGutter(),
          autocompletion({ override: [(context) => complete(() => schemaText as unknown as Schema, context)] }),
          keymap.of([
            { key: 'Mod-Enter', run: () => (apply(), true) },
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': 'Scene as JSON' }),
          EditorView.lineWrapping,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.changed(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }
  /** Another text; the caret stays where it is if it can. */
  set text(text: string) {
    if (text === this.text) return;
    const anchor = Math.min(this.view.state.selection.main.anchor, text.length);
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor } });
  }

  /** Marks where a scene is wrong; null: it is not. */
  mark(problem: Problem | null): void {
    const diagnostics: Diagnostic[] = [];
    if (problem) {
      const { doc } = this.view.state;
      const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
      const from = Math.min(line.from + Math.max(problem.column - 1, 0), line.to);
      const message = [problem.path && `${problem.path}:`, problem.reason, problem.remedy && `(${problem.remedy})`].filter(Boolean).join(' ');
      diagnostics.push({ from, to: Math.max(line.to, from), severity: 'error', message });
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Brings the place of a problem into sight. */
  goto(problem: Problem): void {
    const line = this.view.state.doc.line(Math.min(Math.max(problem.line, 1), this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) });
    this.view.focus();
  }
}
