import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

const map = readFileSync(join(src, '../docs/architecture.md'), 'utf8');

/** Folders and files from the bottom up, as the map has them: a file imports from its own folder and from those before it. */
const LAYERS = [...map.matchAll(/^\| `src\/([\w.]+)\/?` +\|/gm)].map(([, name]) => name);

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(src, name));

/** What a file needs before it can be evaluated: static imports, less those of types only. */
function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found: string[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'/gms)) {
    found.push(resolve(dirname(file), match[1].replace(/\?(lifted|bytes)$/, '')));
  }
  return found;
}

/** All imports, of types and dynamic ones too. */
function mentions(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from\s+|import\(\s*)'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1].replace(/\?(lifted|bytes)$/, '')),
  );
}

/** The text of a file without its comments. */
function code(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
}

function layer(file: string): number {
  const [top] = relative(src, file).split('/');
  return LAYERS.indexOf(top);
}

describe('architecture', () => {
  test('every source file is in a known folder', () => {
    expect(files.filter((file) => layer(file) === -1)).toEqual([]);
  });

  test('imports point downwards only', () => {
    const upward: string[] = [];
    for (const file of files) {
      for (const target of mentions(file)) {
        if (layer(target) > layer(file)) upward.push(`${relative(src, file)} → ${relative(src, target)}`);
      }
    }
    expect(upward).toEqual([]);
  });

  test('imports name existing files with their ending', () => {
    const known = new Set(files);
    const missing: string[] = [];
    for (const file of files) {
      for (const target of mentions(file)) if (!known.has(target)) missing.push(`${relative(src, file)} → ${target}`);
    }
    expect(missing).toEqual([]);
  });

  test('no import cycles', () => {
    const done = new Set<string>();
    const path: string[] = [];
    const cycles: string[] = [];
    const visit = (file: string): void => {
      if (done.has(file)) return;
      const start = path.indexOf(file);
      if (start !== -1) {
        cycles.push([...path.slice(start), file].map((f) => relative(src, f)).join(' → '));
        return;
      }
      path.push(file);
      for (const target of imports(file)) visit(target);
      path.pop();
      done.add(file);
    };
    for (const file of files) visit(file);
    expect(cycles).toEqual([]);
  });

  test('programs without gradients do not load the engine', () => {
    // The way by which each file is reached from the loading of a program.
    const ways = new Map<string, string>();
    const visit = (file: string, way: string): void => {
      if (ways.has(file)) return;
      ways.set(file, `${way}${relative(src, file)}`);
      for (const target of imports(file)) visit(target, `${ways.get(file)} → `);
    };
    visit(join(src, 'program/load.ts'), '');
    const engine = ['tensor/ops.ts', 'tensor/evaluate.ts', 'tensor/wasm/device.ts', 'lifting/linkage.ts'];
    expect(engine.map((file) => ways.get(join(src, file))).filter((way) => way !== undefined)).toEqual([]);
  });

  test("what is Node's is imported in one folder", () => {
    const elsewhere = files.filter((file) => {
      if (['cli', 'reproduce', 'host', 'plugin', 'register'].includes(relative(src, file).split('/')[0])) return false;
      return /'node:|\bprocess\.|\bimport\.meta\b(?! are)|\bcreateRequire\b/.test(code(file));
    });
    expect(elsewhere.map((file) => relative(src, file))).toEqual([]);
  });

  test('what a page loads has nothing of Node', () => {
    const known = new Set(files);
    const twin = (file: string): string => {
      const own = file.replace(/\.ts$/, '.browser.ts');
      return known.has(own) ? own : file;
    };
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      // What is imported only for its types is not loaded.
      const text = readFileSync(file, 'utf8').replace(/^(?:import|export) type [^;]*;/gms, '');
      for (const [, name] of text.matchAll(/(?:from\s+|import\(\s*|import\s+)'(\.[^']+)'/g)) {
        const target = resolve(dirname(file), name.replace(/\?(lifted|bytes)$/, ''));
        // A twin that passes on a type of its own name's.
        if (twin(target) !== file) visit(twin(target));
      }
    };
    for (const entry of ['index.ts', 'webppl.ts', 'program/index.ts', 'worker/index.ts', 'worker/program-worker.ts'])
      visit(join(src, entry));
    const found = [...seen].filter((file) => /'node:|\bprocess\.|\bBuffer\./.test(code(file)));
    expect(found.map((file) => relative(src, file))).toEqual([]);
    expect(seen.size).toBeGreaterThan(300);
  });

  test('twins for pages offer what the others do', () => {
    const offered = (file: string): string[] =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^export (?:async )?(?:function|const|class) (\w+)|^export \{([^}]*)\}/gm,
        ),
      ]
        .flatMap(([, one, several]) => (one === undefined ? several.split(',').map((name) => name.trim()) : [one]))
        .filter((name) => name !== '')
        .sort();
    const twins = files.filter((file) => file.endsWith('.browser.ts') && files.includes(file.replace('.browser', '')));
    expect(twins.length).toBeGreaterThan(5);
    for (const file of twins) {
      const missing = offered(file.replace('.browser', '')).filter((name) => !offered(file).includes(name));
      expect({ file: relative(src, file), missing }).toEqual({ file: relative(src, file), missing: [] });
    }
  });

  test('the file to read first says what its folder is about', () => {
    const first = [...map.matchAll(/^\| `src\/(\w+)\/` +\| `(\w[\w-]*\.ts)` +\|/gm)];
    expect(first.length).toBeGreaterThan(20);
    for (const [, folder, file] of first)
      expect(readFileSync(join(src, folder, file), 'utf8'), file).toMatch(/^\/\*\*/);
  });

  test('files that comments and the map name exist', () => {
    const top = join(src, '..');
    const known = ['src', 'test', 'build', 'bench', 'examples'].flatMap((folder) =>
      readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const ends = new Set(known.flatMap((name) => name.split('/').map((_, i, parts) => parts.slice(i).join('/'))));
    const stale: string[] = [];
    for (const file of [...files, join(top, 'docs/architecture.md'), join(top, 'CONTRIBUTING.md')]) {
      const text = readFileSync(file, 'utf8');
      const said = file.endsWith('.md') ? [text] : (text.match(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? []);
      for (const [, name] of said.join('\n').matchAll(/`(\w[\w/.-]*\.ts)`/g))
        if (!ends.has(name)) stale.push(`${relative(top, file)}: ${name}`);
    }
    expect(stale).toEqual([]);
  });

  test('no file outgrows one idea', () => {
    const long = files
      .map((file) => ({ file: relative(src, file), lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });
});
