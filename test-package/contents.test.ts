import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AnyNode, parse } from 'acorn';
import { build } from 'esbuild';
import { describe, expect, inject, test } from 'vitest';
import { project, root } from './installed.ts';

const app = inject('installed');

describe('what is packed', () => {
  test('is what the package needs, and nothing else', () => {
    const folders = new Set(app.packed.map((path) => path.split('/')[0]));
    const expected = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs', 'examples', 'experiments', 'package.json', 'wppl.d.ts']; // biome-ignore format: one line
    expect([...folders].sort()).toEqual(expected);
    expect(app.packed.filter((path) => /^dist\/kept\/|\.x64-|\.map$|\.test\.|^src\//.test(path))).toEqual([]);
  });

  test('has every file that package.json names', () => {
    const { exports, bin, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named: string[] = [];
    const collect = (value: unknown): void => {
      if (typeof value === 'string') named.push(value.replace('./', ''));
      else for (const inner of Object.values(value as object)) collect(inner);
    };
    collect([exports, bin, imports]);
    const missing = named.filter((path) => {
      const [before, after] = path.split('*');
      return after === undefined ? !app.packed.includes(path) : !app.packed.some((file) => file.startsWith(before) && file.endsWith(after)); // biome-ignore format: one line
    });
    expect(missing).toEqual([]);
  });

  test('links of its pages lead somewhere', () => {
    const broken: string[] = [];
    for (const page of app.packed.filter((path) => path.endsWith('.md'))) {
      const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
      for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|mailto:|#)/.test(link)) continue;
        const target = normalize(join(dirname(page), link.replace(/#.*$/, ''))).replace(/\/$/, '');
        if (!app.packed.some((path) => path === target || path.startsWith(`${target}/`)))
          broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('no file for pages imports what is Node’s', () => {
    const folder = join(app.folder, 'node_modules/waymark/dist/web');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    expect(files.length).toBeGreaterThan(5);
    const found = files.flatMap((name) => importsOf(join(folder, name)).map((specifier) => `${name}: ${specifier}`));
    expect(found).toEqual([]);
  });
});

/** What a file imports that is not in a file beside it. */
function importsOf(file: string): string[] {
  const found: string[] = [];
  const note = ({ source }: { source?: AnyNode | null }): void => {
    const value = source?.type === 'Literal' ? String(source.value) : '';
    if (value !== '' && !value.startsWith('.')) found.push(value);
  };
  const visit = (node: AnyNode): void => {
    if (/^(Import|Export)/.test(node.type)) note(node as never);
    for (const child of Object.values(node)) {
      for (const one of Array.isArray(child) ? child : [child]) if (typeof one?.type === 'string') visit(one);
    }
  };
  visit(parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

describe('what a bundle of an app holds', () => {
  const page = readFileSync(join(root, 'docs/in-your-app.md'), 'utf8');

  /** Kilobytes, gzipped, of an app for pages. */
  async function size(name: string, code: string): Promise<number> {
    const folder = project(app, name, { 'main.js': code });
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'main.js')],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
      logLevel: 'silent',
    });
    const [{ text }] = outputFiles;
    expect(text).not.toMatch(/["']node:/);
    return gzipSync(text, { level: 9 }).length / 1000;
  }

  /** Holds a size to the limit that the page states, as in `enumeration alone … 125 KB`. A limit far above the size would tell nothing. */
  function isAsStated(measured: number, what: string): void {
    const limit = Number(new RegExp(`\\| ${what}[^|]*\\|\\s*(\\d+) KB`).exec(page)?.[1]);
    expect(measured).toBeLessThan(limit);
    expect(measured).toBeGreaterThan(0.8 * limit);
  }

  test('is small if it only enumerates', async () => {
    const measured = await size(
      'enumeration',
      "import { Infer, flip, condition } from 'waymark';\nconsole.log(Infer({ method: 'enumerate' }, () => { const a = flip(0.3); condition(a || flip(0.4)); return a; }));",
    );
    isAsStated(measured, 'enumeration alone');
  });

  test('is as small with samples side by side as the page says', async () => {
    const measured = await size(
      'columns',
      "import 'waymark/columns';\nimport { link } from 'waymark/compiled';\nimport { Infer, gaussian } from 'waymark';\nlink({ Infer, gaussian }, [], []);\nconsole.log(Infer({ method: 'SMC' }, () => gaussian(0, 1)));",
    );
    isAsStated(measured, 'with samples side by side');
  });

  test('is as small with gradients as the page says', async () => {
    const measured = await size(
      'gradients',
      "import 'waymark/gradients';\nimport { link } from 'waymark/compiled';\nimport { Optimize, gaussian } from 'waymark';\nlink({ Optimize, gaussian }, [], []);\nconsole.log(Optimize({ model: () => gaussian(0, 1) }));",
    );
    isAsStated(measured, 'with gradients');
  });
});
