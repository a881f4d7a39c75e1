/** Help on the name under the pointer. */
import { hoverTooltip } from '@codemirror/view';
import { helpCard } from './help-card.ts';
import { entryNamed, reference } from './reference.ts';

export const hoverHelp = hoverTooltip((view, position) => {
  const { from, text } = view.state.doc.lineAt(position);
  const column = position - from;
  const start = column - (/[\w$.]*$/.exec(text.slice(0, column))?.[0].length ?? 0);
  const end = column + (/^[\w$]*/.exec(text.slice(column))?.[0].length ?? 0);
  const name = text.slice(start, end).replace(/^\.+/, '');
  if (name === '') return null;
  const isOption = /^\s*:/.test(text.slice(end));
  const option = isOption ? reference().options.find((entry) => entry.name === name) : undefined;
  const entry = option ?? entryNamed(name);
  if (entry === undefined) return null;
  return { pos: from + start, end: from + end, above: true, create: () => ({ dom: helpCard(entry) }) };
});
