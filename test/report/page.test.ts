/** A run as a page: everything in it, nothing of it loaded, nothing of it run. */
import { describe, expect, test } from 'vitest';
import { Bernoulli, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { viz } from '../../src/library/index.ts';
import { figuresIn } from '../../src/report/blocks.ts';
import { svgFiles } from '../../src/report/files.ts';
import { pageOf } from '../../src/report/page.ts';
import { RunRecord } from '../../src/report/record.ts';
import { embedded } from '../../src/report/svg.ts';
import { recordedRun } from '../library/run.ts';

const chains = new SampleBasedMarginal(
  Array.from({ length: 60 }, (_, i) => ({ value: { x: Math.sin(i), y: [Math.cos(i * i)] } })),
  { diagnostics: { acceptance: 0.5, chains: 2 } },
);

/** A record of these outputs. */
function recordOf(...outputs: unknown[]): RunRecord {
  const record = new RunRecord();
  for (const value of outputs) record.output(value, String(value));
  return record;
}

const page = (record: RunRecord, end: Parameters<RunRecord['blocks']>[0] = undefined): Promise<string> =>
  pageOf({ title: 'model.wppl', about: 'Run with seed 1.', blocks: record.blocks(end) });

describe('a page', () => {
  test('shows what chains went through, in every way there is', () => {
    const names = figuresIn(recordOf(chains).blocks(undefined)).map(({ name }) => name);
    expect(names).toEqual(['posterior', 'forest', 'trace', 'rank', 'pairs']);
  });

  test('shows other distributions, tables, and what is within objects', () => {
    const record = recordOf({ coin: Bernoulli({ p: 0.25 }), rows: [{ a: 1 }, { a: 2 }] });
    const kinds = record.blocks(undefined).map((block) => (block.kind === 'heading' ? block.text : block.kind));
    expect(kinds).toEqual(['Outputs', 'coin', 'text', 'figure', 'rows', 'table']);
  });

  test('shows the curve of each optimisation, and counts very many', () => {
    const record = new RunRecord();
    for (let i = 0; i < 14; i++) {
      const told = record.curve();
      told({ name: 'ELBO', points: [[1, -3]] });
      told({ name: 'ELBO', points: [[2, -2]] }); // biome-ignore format: one thought
    }
    const blocks = record.blocks(undefined);
    expect(figuresIn(blocks).length).toBe(12);
    expect(figuresIn(blocks)[0].caption).toBe('ELBO of optimisation 1 by step, smoothed; at the end -2');
    expect(blocks.at(-1)).toEqual({ kind: 'text', text: '… and 2 more optimisations' });
  });

  test('has charts of the first outputs, text of the next, and counts the rest', () => {
    const record = recordOf(...Array.from({ length: 1100 }, () => Bernoulli({ p: 0.25 })));
    const blocks = record.blocks(undefined);
    expect(figuresIn(blocks).length).toBe(60);
    expect(blocks.at(-1)).toEqual({ kind: 'note', text: '… and 160 more outputs' });
  });

  test('loads nothing, and takes what programs print as text', async () => {
    recordedRun();
    const record = recordOf('<script>alert(1)</script>', chains);
    record.warn('"A" & <b>');
    const html = await page(record, { error: '<img onerror=alert(1)>' });
    expect(html.match(/<script[ >]/g)).toEqual(['<script>']);
    expect(html.includes('<img')).toBe(false);
    expect(html.includes('&quot;A&quot; &amp; &lt;b&gt;')).toBe(true);
    const addresses = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address.startsWith('#') && !address.startsWith('data:'))).toEqual([]);
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none';[^"]*script-src 'sha256-/);
  });

  test('leaves colours to its style, so that it can be dark, and says what each chart is', async () => {
    const html = await page(recordOf(chains));
    const drawings = html.split('<svg ').slice(1).map((text) => text.split('</svg>')[0]); // biome-ignore format: one thought
    expect(drawings.length).toBe(5);
    for (const drawing of drawings) {
      expect(/(?:fill|stroke)="(?:#|rgb)[^"]*"/.exec(drawing)?.[0]).toBeUndefined();
      expect(drawing.startsWith('role="graphics-document" aria-label="')).toBe(true);
    }
    for (const name of ['--chart-ink', '--chart-1', '--chart-6']) {
      expect(html.split(`${name}: #`).length - 1).toBeGreaterThanOrEqual(2);
    }
  });

  test('is the same for the same run', async () => {
    expect(await page(recordOf(chains))).toBe(await page(recordOf(chains)));
  });
});

test('names within a drawing are its own', () => {
  expect(embedded('<svg><clipPath id="clip1"/><g clip-path="url(#clip1)"/></svg>', 'f2')).toBe(
    '<svg><clipPath id="f2-clip1"/><g clip-path="url(#f2-clip1)"/></svg>',
  );
});

test('files are numbered, and named by what they show', async () => {
  const run = recordedRun();
  viz([1, 2, 2], { title: 'Größe: a/b' });
  const files = await svgFiles(recordOf(run.values[0], chains).blocks(undefined));
  expect(files.map(([name]) => name).slice(0, 3)).toEqual(['01-gro-e-a-b.svg', '02-posterior.svg', '03-forest.svg']);
  expect(files.every(([, text]) => text.startsWith('<svg '))).toBe(true);
});
