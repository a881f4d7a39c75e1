/** How a report looks: by day and by night, on a phone, on paper. */
import { type ChartColours, DARK, LIGHT } from '../library/viz/spec/config.ts';

const FIELDS = ['ink', 'line', 'grid'] as const;

/** Colours as variables of the page, so that one drawing serves both. */
export const PAGE_COLOURS: ChartColours = {
  ink: 'var(--chart-ink)',
  line: 'var(--chart-line)',
  grid: 'var(--chart-grid)',
  series: LIGHT.series.map((_, i) => `var(--chart-${i + 1})`),
};

function variables(colours: ChartColours): string {
  const own = FIELDS.map((name) => `--chart-${name}: ${colours[name]};`);
  return [...own, ...colours.series.map((colour, i) => `--chart-${i + 1}: ${colour};`)].join(' ');
}

const DAY = `color-scheme: light; --paper: #f5f7f9; --card: #ffffff; --ink: #1f2933; --soft: #52606d; --edge: #d9dfe5;
  --accent: #1d4f87; --alarm: #a61b1b; --alarm-paper: #fdf0ef; --hint-paper: #fdf7e6; --hint-edge: #c99a1e; ${variables(LIGHT)}`;
const NIGHT = `color-scheme: dark; --paper: #0f1317; --card: #171c22; --ink: #e4e7eb; --soft: #9fb0c0; --edge: #2c343d;
  --accent: #8fbdf0; --alarm: #ff9c94; --alarm-paper: #2d1a1a; --hint-paper: #26221410; --hint-edge: #b48a2a; ${variables(DARK)}`;

export const STYLE = `
:root { ${DAY} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${NIGHT} } }
:root[data-theme=dark] { ${NIGHT} }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding-top: 2rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; flex: 1 1 16rem; }
header p { flex-basis: 100%; margin: .25rem 0 0; color: var(--soft); font-size: .92rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--edge); overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: .6rem; padding: 1rem 1.15rem; margin: .9rem 0; }
pre { margin: 0; font: .86rem/1.45 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; overflow-x: auto; white-space: pre; }
figure { margin: 0; }
figure .chart { overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .6rem; overflow-wrap: anywhere; }
details { margin-top: .6rem; }
summary { cursor: pointer; color: var(--accent); font-size: .9rem; }
details.group { margin: .9rem 0; }
details.group > summary { font-size: 1rem; font-weight: 600; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--edge); text-align: right; white-space: nowrap; }
th:first-child, .word { text-align: left; }
tbody tr:last-child > * { border-bottom: 0; }
.error { border-left: 4px solid var(--alarm); background: var(--alarm-paper); }
.error pre { white-space: pre-wrap; }
.advice { border-left: 4px solid var(--hint-edge); background: var(--hint-paper); }
.advice p { margin: 0; }
button { font: inherit; font-size: .85rem; color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: .4rem; padding: .25rem .7rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.tip { position: absolute; z-index: 9; pointer-events: none; background: var(--ink); color: var(--card); font-size: .8rem; padding: .2rem .5rem; border-radius: .3rem; max-width: 20rem; }
footer { color: var(--soft); font-size: .85rem; padding-bottom: 2.5rem; margin-top: 2rem; }
@media (max-width: 40rem) { header, main, footer { padding-left: .8rem; padding-right: .8rem; } .card { padding: .8rem; } }
@media print { button, details > summary { display: none; } .card { break-inside: avoid; border: 0; padding: 0; } body { background: none; } }
`;

/** The button for day and night, and words for what the pointer is at. The page is whole without it. */
export const SCRIPT = `
(() => {
  const root = document.documentElement;
  const button = document.querySelector('button');
  const dark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const name = () => { button.textContent = dark() ? 'Light' : 'Dark'; };
  button.hidden = false;
  name();
  button.onclick = () => { root.dataset.theme = dark() ? 'light' : 'dark'; name(); };
  const tip = Object.assign(document.createElement('div'), { className: 'tip', hidden: true });
  document.body.append(tip);
  document.addEventListener('pointermove', (event) => {
    const mark = event.target instanceof Element ? event.target.closest('[role="graphics-symbol"][aria-label]') : null;
    tip.hidden = mark === null;
    if (mark === null) return;
    tip.textContent = mark.getAttribute('aria-label');
    tip.style.left = Math.min(event.pageX + 12, scrollX + innerWidth - 180) + 'px';
    tip.style.top = event.pageY + 14 + 'px';
  });
})();
`;
