/** An entry of the reference, as a card beside the text. */
import { element } from '../results/dom.ts';
import type { Entry } from './reference.ts';

/** Words between backticks are shown as code. */
function prose(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  text.split('`').forEach((part, i) => {
    if (i % 2 === 0) paragraph.append(part);
    else paragraph.append(element('code', {}, part));
  });
  return paragraph;
}

export function helpCard({ signature, doc, of }: Entry): HTMLElement {
  const card = document.createElement('div');
  card.className = 'help-card';
  if (signature !== '') {
    const head = document.createElement('pre');
    head.textContent = signature;
    card.append(head);
  }
  if (of !== undefined) card.append(prose(of === 'Optimize' ? 'An option of `Optimize`.' : `An option of \`${of}\`.`));
  for (const paragraph of doc.split(/\n+/)) if (paragraph.trim() !== '') card.append(prose(paragraph));
  return card;
}
