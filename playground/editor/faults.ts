/** What is wrong with a text, shown in it: a mark below the place, and a colour behind the line where a run failed. */
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { Fault } from '../sandbox/protocol.ts';

const markLine = StateEffect.define<number | null>();

/** The line where a run failed, until the text is changed. */
const failedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(markLine)) continue;
      if (effect.value === null) return Decoration.none;
      return Decoration.set([Decoration.line({ class: 'cm-fault-line' }).range(effect.value)]);
    }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const faultMarks = [failedLine, lintGutter()];

/** The offset of a place, or of the nearest there is. */
function offsetOf(text: Text, line: number, column: number): number {
  const { from, to } = text.line(Math.min(Math.max(1, line), text.lines));
  return Math.min(from + Math.max(0, column - 1), to);
}

function diagnostic(text: Text, { message, hint, line, column }: Fault): Diagnostic | undefined {
  if (line === undefined) return undefined;
  const from = offsetOf(text, line, column ?? 1);
  const word = /^[\w$]+/.exec(text.sliceString(from, from + 80))?.[0].length ?? 1;
  const to = Math.min(from + word, text.length);
  return {
    from: Math.min(from, to),
    to,
    severity: 'error',
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

/** Shows a fault that the compiler has found, or that there is none. */
export function showFault(view: EditorView, fault: Fault | undefined): void {
  const found = fault && diagnostic(view.state.doc, fault);
  view.dispatch(setDiagnostics(view.state, found === undefined ? [] : [found]));
}

/** Shows where a run has failed, and brings the line into view. */
export function showFailure(view: EditorView, fault: Fault): void {
  const { doc } = view.state;
  showFault(view, fault);
  if (fault.line === undefined) return;
  const { from } = doc.line(Math.min(fault.line, doc.lines));
  view.dispatch({ effects: [markLine.of(from), EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 40 })] });
}

export function clearFaults(view: EditorView): void {
  view.dispatch(setDiagnostics(view.state, []));
  view.dispatch({ effects: markLine.of(null) });
}

/** Moves the cursor there. */
export function goTo(view: EditorView, line: number, column: number): void {
  const at = offsetOf(view.state.doc, line, column);
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  view.focus();
}
