/** An error, with the place to jump to. */
import type { Fault } from '../sandbox/protocol.ts';
import { element } from './dom.ts';

export function faultCard(fault: Fault, goTo: (line: number, column: number) => void): HTMLElement {
  const { message, hint, line, column = 1, calls = [], earlier } = fault;
  const card = element('section', { class: 'item fault', role: 'alert' });
  card.append(element('p', { class: 'message' }, String(message)));
  if (earlier === true) card.append(element('p', {}, 'It happened in a definition of an earlier box of this page.'));
  if (hint !== undefined) card.append(element('p', { class: 'hint' }, String(hint)));
  const place = (at: number, inLine: number, text: string) =>
    element('button', { class: 'place', click: () => goTo(at, inLine) }, text);
  if (line !== undefined)
    card.append(place(Number(line), Number(column), `Line ${Number(line)}, column ${Number(column)}`));
  if (calls.length > 1) {
    const rows = calls.map((call) =>
      element(
        'li',
        {},
        place(
          Number(call.line),
          Number(call.column),
          `${String(call.name || 'top level')} · line ${Number(call.line)}`,
        ),
      ),
    );
    card.append(element('details', {}, element('summary', {}, 'Calls in progress'), element('ol', {}, ...rows)));
  }
  return card;
}
