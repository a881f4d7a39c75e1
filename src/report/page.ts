/** A report as one page that needs no other file and no network. */
import { chartConfig } from '../library/viz/spec/config.ts';
import type { Block, Figure, Table } from './blocks.ts';
import { PAGE_COLOURS, SCRIPT, STYLE } from './page-style.ts';
import { embedded, svgOf } from './svg.ts';

interface Page {
  readonly title: string;
  /** What was run, and how. */
  readonly about: string;
  readonly blocks: readonly Block[];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Nothing may be loaded, and no script runs but the page's own: what programs print is text. */
async function policy(): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(SCRIPT));
  const own = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${own}'`;
}

export async function pageOf({ title, about, blocks }: Page): Promise<string> {
  const parts: string[] = [];
  let count = 0;
  for (const block of blocks) parts.push(await blockHtml(block, () => `figure-${++count}`));
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${await policy()}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style></head>`,
    '<body>',
    `<header><h1>${escaped(title)}</h1><button type="button" hidden>Dark</button><p>${escaped(about)}</p></header>`,
    `<main>${parts.length === 0 ? '<p class="card">The program has no outputs and no value.</p>' : ''}`,
    ...parts,
    '</main>',
    '<footer>Made by Waymark.</footer>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

async function blockHtml(block: Block, name: () => string): Promise<string> {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`;
    case 'text':
      return `<div class="card"><pre tabindex="0">${escaped(block.text)}</pre></div>`;
    case 'note':
      return `<p>${escaped(block.text)}</p>`;
    case 'advice':
      return `<div class="card advice"><p>${escaped(block.text)}</p></div>`;
    case 'error':
      return `<div class="card error" role="alert"><pre tabindex="0">${escaped(block.text)}</pre></div>`;
    case 'table':
      return tableHtml(block.table);
    case 'figure':
      return figureHtml(block.figure, name());
    case 'group': {
      const figures: string[] = [];
      for (const figure of block.figures) figures.push(await figureHtml(figure, name()));
      return `<details class="group" open><summary>${escaped(block.title)}</summary>\n${figures.join('\n')}\n</details>`;
    }
  }
}

async function figureHtml({ caption, spec, text }: Figure, name: string): Promise<string> {
  // The caption says it already.
  const { title, ...rest } = spec;
  const drawn = await svgOf(title === caption ? rest : spec, chartConfig(PAGE_COLOURS));
  const described = escaped(typeof spec.description === 'string' ? spec.description : caption);
  const svg = embedded(drawn, name).replace(
    /^<svg ([^>]*?width="(\d+))/,
    (_, start: string, width: string) =>
      `<svg role="graphics-document" aria-label="${described}" style="min-width: min(${width}px, 26rem)" ${start}`,
  );
  const words =
    text === undefined ? '' : `<details><summary>As text</summary><pre tabindex="0">${escaped(text)}</pre></details>`;
  return `<figure class="card" id="${name}"><figcaption>${escaped(caption)}</figcaption><div class="chart">${svg}</div>${words}</figure>`;
}

const isNumber = (text: string): boolean => text === '' || /^[-−]?(\d|∞|NaN)/.test(text);

function tableHtml({ caption, head, rows }: Table): string {
  const words = head.map((_, column) => !rows.every((row) => isNumber(row[column])));
  const row = (cells: readonly string[]): string => {
    const rest = cells.slice(1).map((cell, i) => `<td${words[i + 1] ? ' class="word"' : ''}>${escaped(cell)}</td>`);
    return `<tr><th scope="row">${escaped(cells[0])}</th>${rest.join('')}</tr>`;
  };
  const titles = head
    .map((cell, i) => `<th scope="col"${words[i] ? ' class="word"' : ''}>${escaped(cell)}</th>`)
    .join('');
  const named = caption === '' ? '' : `<caption>${escaped(caption)}</caption>`;
  const body = rows.map(row).join('\n');
  return `<div class="card table" tabindex="0"><table>${named}<thead><tr>${titles}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}
