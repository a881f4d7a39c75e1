import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { show } from '../src/library/show/value.ts';
import { loadProgram } from '../src/program/load.ts';
import { run } from '../src/program/run.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waymark-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(top, 'docs')).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'));

describe('documentation', () => {
  test.each(pages)('%s links to files that exist', (page) => {
    const text = readFileSync(join(top, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => join(top, dirname(page), match[1]));
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  test('the quick start has two commands of one line', () => {
    const section = /## Quick start\n([\s\S]*?)\n## /.exec(readFileSync(join(top, 'README.md'), 'utf8'))![1];
    const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1].trim());
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(block).not.toContain('\n');
  });

  /** A block marked `run` is a program; the `text` block after it is what it prints with seed 1. */
  const examples = pages.flatMap((page) => {
    const text = readFileSync(join(top, page), 'utf8');
    const blocks = [...text.matchAll(/```(ts|js|wppl) run\n([\s\S]*?)```(?:[^`]*?```text\n([\s\S]*?)```)?/g)];
    return blocks.map(([, language, code, output], i) => ({ name: `${page} #${i + 1}`, language, code, output }));
  });

  test.each(examples)('$name runs and prints what it says', async ({ language, code, output }) => {
    const file = join(folder, `example.${language}`);
    writeFileSync(file, code);
    const { value, outputs } = await run(code, { file, language: language as 'ts', seed: 1 });
    if (output === undefined) return;
    const shown = [...outputs.map(({ text }) => text), ...(value === undefined ? [] : [show(value)])];
    expect(`${shown.join('\n').trimEnd()}\n`).toBe(output);
  });

  test('the README shows the example as it is in the repository', () => {
    const readme = readFileSync(join(top, 'README.md'), 'utf8');
    const example = readFileSync(join(top, 'examples/amortized.wppl'), 'utf8');
    expect(readme).toContain(example);
  });
});

describe('examples', () => {
  const programs = readdirSync(join(top, 'examples')).filter((name) => /\.(wppl|ts|js)$/.test(name));

  test.each(programs)('%s runs', async (name) => {
    const program = await loadProgram(join(top, 'examples', name));
    const warnings: string[] = [];
    const value = program.run({
      seed: 1,
      folder: join(top, 'examples'),
      args: [],
      output() {},
      warn: (message) => warnings.push(message),
      progress: () => ({ update() {}, finish() {} }),
    });
    expect(value).toBeDefined();
    expect(warnings).toEqual([]);
  });
});
