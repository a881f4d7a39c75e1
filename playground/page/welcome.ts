/** What the results say before there are any. */
import { element, icon, svg } from '../results/dom.ts';

export function welcome(openGallery: () => void): HTMLElement {
  const mac = /Mac|iP(hone|ad)/.test(navigator.platform);
  const hill = svg(
    'svg',
    { viewBox: '0 0 200 88', 'aria-hidden': 'true' },
    svg('path', { d: 'M6 80C52 80 68 14 100 14s48 66 94 66z', fill: 'currentColor', opacity: 0.14 }),
    svg('path', {
      d: 'M6 80C52 80 68 14 100 14s48 66 94 66',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2.5,
    }),
    svg('circle', { cx: 100, cy: 14, r: 5, fill: 'currentColor' }),
  );
  const keys = element('p', {}, 'Press ', element('kbd', {}, mac ? '⌘' : 'Ctrl'), ' ', element('kbd', {}, 'Enter'));
  keys.append(' or Run. What the program finds out is drawn here.');
  const gallery = element(
    'button',
    { class: 'button', type: 'button', click: openGallery },
    icon('gallery'),
    'Open the gallery',
  );
  return element(
    'div',
    { class: 'welcome' },
    hill,
    element('h2', {}, 'Say how the world works. Ask what is likely.'),
    keys,
    element('div', { class: 'row' }, gallery),
  );
}
