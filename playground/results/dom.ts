/** Elements in one line. Text is always text: nothing that a program says is ever read as HTML. */

type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean | (() => void)>>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: Child[]
): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Icons, drawn with the colour of the text around them. */
const ICONS: Readonly<Record<string, string>> = {
  run: 'M5 3.5v9l8-4.5z',
  stop: 'M4 4h8v8H4z',
  dice: 'M3 3h10v10H3zM5.7 5.7h.01M10.3 5.7h.01M8 8h.01M5.7 10.3h.01M10.3 10.3h.01',
  share: 'M6.5 9.5l3-3M7 5l1.6-1.6a2.6 2.6 0 013.7 3.7L10.7 8.7M9 11l-1.6 1.6a2.6 2.6 0 01-3.7-3.7L5.3 7.3',
  gallery: 'M2.5 3h4.5v4.5H2.5zM9 3h4.5v4.5H9zM2.5 9.5H7V14H2.5zM9 9.5h4.5V14H9z',
  sun: 'M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13 9.6A5.6 5.6 0 016.4 3 5.6 5.6 0 1013 9.6z',
  book: 'M8 4c-1.4-1-3.2-1.2-5-1v9.5c1.8-.2 3.6 0 5 1 1.4-1 3.2-1.2 5-1V3c-1.8-.2-3.6 0-5 1zM8 4v9.5',
  save: 'M8 2.5v7M5 6.8L8 9.8l3-3M3 12.8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.8l6 10.4H2zM8 6.6v3M8 11.4h.01',
  data: 'M2.8 4.2c0-1.1 2.3-2 5.2-2s5.2.9 5.2 2-2.300 2-5.200 2-5.200-.9-5.200-2zM2.800 4.200v7.600c0 1.100 2.300 2 5.200 2s5.200-.9 5.200-2V4.200M2.800 8c0 1.100 2.300 2 5.200 2s5.200-.9 5.200-2',
  reset: 'M3.2 8a4.8 4.8 0 105-4.8c-1.9 0-3.3 1-4.2 2.3M3.6 2.8v3h3',
};

export function icon(name: keyof typeof ICONS & string): SVGElement {
  const filled = name === 'run' || name === 'stop';
  return svg(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', class: 'icon' },
    svg('path', {
      d: ICONS[name],
      fill: filled ? 'currentColor' : 'none',
      stroke: 'currentColor',
      'stroke-width': filled ? 0 : 1.4,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  );
}
