/** A few words at the foot of the page, which go away by themselves. */
import { element } from '../results/dom.ts';

const SHOWN_MS = 3500;

export function toast(text: string): void {
  document.querySelector('.toast')?.remove();
  const box = element('div', { class: 'toast', role: 'status' }, text);
  document.body.append(box);
  setTimeout(() => box.remove(), SHOWN_MS);
}
