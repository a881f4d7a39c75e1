/** What the editor knows of the library, read from the pages of the reference. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, Reference } from '../editor/reference.ts';

export function referenceData(folder: string): Reference {
  const pages = readdirSync(folder).filter(
    (name) => name.endsWith('.md') && !['README.md', 'command-line.md', 'embedding.md', 'algorithms.md'].includes(name),
  );
  const reference: { -readonly [K in keyof Reference]: Reference[K] extends readonly (infer T)[] ? T[] : never } = {
    entries: [],
    options: [],
  };
  for (const page of pages) {
    const name = page.replace(/\.md$/, '');
    const [values] = readFileSync(join(folder, page), 'utf8').split(/^## Types$/m);
    for (const part of values.split(/^### /m).slice(1)) read(part, name, reference);
  }
  return reference;
}

function read(part: string, page: string, { entries, options }: { entries: Entry[]; options: Entry[] }): void {
  const [heading, ...lines] = part.split('\n');
  const body = lines.join('\n');
  const method = /^`method: '(\w+)'`$/.exec(heading)?.[1];
  if (method !== undefined || heading === 'Options of Optimize') {
    options.push(...optionsIn(body, method ?? 'Optimize', page));
    return;
  }
  if (!/^[\w$]+$/.test(heading)) return;
  const signature = /```ts signature\n([\s\S]*?)\n```/.exec(body)?.[1] ?? '';
  const doc = proseIn(body);
  const call = /^`(\w+\(\{.*?\}\))`(?:; a draw from it: `(\w+\(.*?\))`)?\.$/m.exec(body);
  const link = `${page}.html#${heading.toLowerCase()}`;
  const takes = rowsIn(body, '| parameter |').map(([name, kind]) => `${plain(name)}: ${kind}`);
  const text = takes.length > 0 ? `${doc}\n${takes.join('\n')}` : doc;
  entries.push({
    name: heading,
    kind: call ? 'class' : kindOf(signature),
    signature: call?.[1] ?? signature,
    doc: text,
    link,
  });
  if (call?.[2] !== undefined) {
    entries.push({
      name: call[2].split('(')[0],
      kind: 'function',
      signature: call[2],
      doc: `A draw from ${heading}. ${text}`,
      link,
    });
  }
  for (const [member, meaning = ''] of rowsIn(body, '|  | meaning |')) {
    const found = /^`((?:T|nn|viz|schedules|[a-z]\w*)\.(\w+).*)`$/.exec(member);
    if (found !== null)
      entries.push({
        name: `${heading}.${found[2]}`,
        kind: 'method',
        signature: unescaped(found[1]),
        doc: meaning,
        link,
      });
  }
  for (const [, list] of body.matchAll(/^Of .*?: ((?:`\w+`(?:, )?)+)\.$/gm)) {
    for (const [, name] of list.matchAll(/`(\w+)`/g)) {
      entries.push({
        name: `${heading}.${name}`,
        kind: 'method',
        signature: `${heading}.${name}(…)`,
        doc: 'Entry by entry.',
        link,
      });
    }
  }
}

const kindOf = (signature: string): Entry['kind'] =>
  /^[\w$]+\s*(<[^(]*>)?\(|=>/.test(signature) ? 'function' : 'variable';

function optionsIn(body: string, method: string, page: string): Entry[] {
  return rowsIn(body, '| option |').map(([name, takes, standard, meaning = '']) => ({
    name: plain(name),
    kind: 'property',
    signature: `${plain(name)}: ${unescaped(takes)}${standard === '' ? '' : ` (default ${plain(standard)})`}`,
    doc: meaning,
    link: `${page}.html`,
    of: method,
  }));
}

/** Cells of the rows below the table head that begins so. */
function rowsIn(body: string, head: string): string[][] {
  const lines = body.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head));
  if (start === -1) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end === -1 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

const plain = (cell: string): string => cell.replaceAll('`', '');
const unescaped = (cell: string): string => cell.replaceAll('\\|', '|');

/** The paragraphs before the first table, program or link. */
function proseIn(body: string): string {
  const rest = body.replace(/```ts signature\n[\s\S]*?\n```/, '').trim();
  const paragraphs = rest.split(/\n{2,}/);
  const end = paragraphs.findIndex((text) => /^(\||```|\[`|`\w+\(\{|Of each|Known in)/.test(text));
  return paragraphs
    .slice(0, end === -1 ? undefined : end)
    .join('\n\n')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
