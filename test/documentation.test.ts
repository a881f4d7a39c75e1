import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { madeFiles, writtenPages } from '../build/generated-files.ts';
import { anchorMaker } from '../build/pages/anchors.ts';
import { type Block, blocksOf, programsOf } from '../build/pages/blocks.ts';
import { printedBy } from '../build/pages/outputs.ts';
import { publicNames } from '../build/reference/public-names.ts';
import { readArguments } from '../src/cli/arguments.ts';
import { commands } from '../src/cli/main.ts';
import { loadProgram } from '../src/program/load.ts';
import { quietRun } from './program/quiet-run.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waymark-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = (file: string): string => readFileSync(join(top, file), 'utf8');
const referencePages = readdirSync(join(top, 'docs/reference')).map((name) => `docs/reference/${name}`);
const pages = [...writtenPages(), ...referencePages];

describe('pages', () => {
  test.each(pages)('%s links to what exists', (page) => {
    const links = [...text(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [link, file, anchor] of links) {
      const target = file === '' ? page : join(dirname(page), file);
      expect(existsSync(join(top, target)), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(text(target)), link).toContain(anchor);
    }
  });

  const anchorsOf = (page: string): string[] => {
    const anchor = anchorMaker();
    return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));
  };

  test.each(pages)('%s has no block in a language that nothing checks', (page) => {
    const known = ['wppl', 'ts', 'js', 'sh', 'text', 'json', ''];
    expect(blocksOf(text(page)).filter(({ language }) => !known.includes(language))).toEqual([]);
    // Only code of Waymark itself may be shown without being run.
    const internal = blocksOf(text(page)).filter(({ words }) => words.includes('internal'));
    if (page !== 'docs/architecture.md') expect(internal).toEqual([]);
  });

  test.each(pages)('%s names commands and options that exist', (page) => {
    const shown = [...text(page).matchAll(/npx waymark ([a-z]+)([^`\n&]*)/g)];
    for (const [line, name, rest] of shown) {
      expect(Object.keys(commands), line).toContain(name);
      const words = rest.split(' ').filter((word) => word !== '');
      expect(() => readArguments(name, commands[name].options, words), line).not.toThrow();
      for (const word of words) if (word.startsWith('examples/')) expect(existsSync(join(top, word)), line).toBe(true);
    }
  });

  test('the quick start has two commands of one line', () => {
    const section = /## Quick start\n([\s\S]*?)\n## /.exec(text('README.md'))![1];
    const blocks = blocksOf(section).filter(({ language }) => language === 'sh');
    expect(blocks).toHaveLength(2);
    for (const { code } of blocks) expect(code.trim()).not.toContain('\n');
  });

  test('the README shows the example as it is in the repository', () => {
    expect(text('README.md')).toContain(text('examples/amortized.wppl'));
  });
});

describe('programs in pages', () => {
  const programs = pages.flatMap((page) =>
    programsOf(text(page)).map((shown, i) => ({ ...shown, name: `${page} #${i + 1}` })),
  );

  test.each(programs)('$name runs and prints what it says', async ({ program, output }) => {
    const printed = await printedBy(program, folder);
    if (output !== undefined) expect(printed).toBe(output.code);
  });

  test('those in TypeScript have no type errors', async () => {
    const files = programs.filter(({ program }) => program.language === 'ts').map(({ program }) => program as Block);
    expect(files.length).toBeGreaterThan(0);
    for (const [i, { code }] of files.entries()) writeFileSync(join(folder, `program-${i}.ts`), code);
    expect(await typeErrors(folder, {}, { waymark: 'index' })).toBe('');
  });

  test('modules of apps in them have no type errors', async () => {
    const blocks = pages.flatMap((page) => blocksOf(text(page)).filter(({ words }) => words.includes('app')));
    expect(blocks.length).toBeGreaterThan(0);
    const apps = join(folder, 'apps');
    mkdirSync(apps);
    for (const [i, { code }] of blocks.entries()) {
      // Some say which file they are, for others to import.
      const name = /^\/\/ (\w+\.ts)/.exec(code)?.[1] ?? `program-${i}.ts`;
      writeFileSync(join(apps, name), `${code}\nexport {};\n`);
    }
    writeFileSync(join(apps, 'wppl.d.ts'), text('wppl.d.ts'));
    const modules = { waymark: 'index', 'waymark/program': 'program/index', 'waymark/worker': 'worker/index' };
    expect(await typeErrors(apps, { lib: ['es2023', 'dom'] }, modules)).toBe('');
  });

  /** What the type checker says of the modules in a folder. */
  async function typeErrors(
    place: string,
    options: object,
    modules: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { compilerOptions } = JSON.parse(text('tsconfig.json')) as { compilerOptions: object };
    const paths = Object.entries(modules).map(([name, file]) => [name, [join(top, `src/${file}.ts`)]]);
    const settings = {
      compilerOptions: {
        ...compilerOptions,
        ...options,
        typeRoots: [join(top, 'node_modules/@types')],
        paths: Object.fromEntries(paths),
      },
      include: ['*.ts', join(top, 'src/**/*.d.ts')],
    };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(top, 'node_modules/typescript/bin/tsc');
    return promisify(execFile)(process.execPath, [tsc, '-p', place]).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout as string,
    );
  }
});

describe('what npm run docs makes', () => {
  test('is as the source says: run it again if not', async () => {
    const made = await madeFiles();
    for (const [file, contents] of made) expect(text(file), file).toBe(contents);
    expect(referencePages.filter((page) => !made.has(page))).toEqual([]);
  });

  test('describes every public name', () => {
    const helpers = 'src/distributions/samplers.ts';
    const all = ['scope', 'algorithms', 'program/index', 'worker/index'].flatMap((entry) =>
      publicNames(join(top, `src/${entry}.ts`)),
    );
    const bare = all.filter(({ declaration: { doc, file } }) => doc === '' && file !== helpers);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

describe('examples', () => {
  test.each(['examples', 'examples/paper'])('%s has each of its programs on its page', (folder) => {
    const page = text(`${folder}/README.md`);
    const programs = readdirSync(join(top, folder)).filter((name) => /\.(wppl|ts)$/.test(name));
    const missing = programs.filter(
      (name) => !page.includes(`\`${name}`) && !page.includes(`\`${name.split('.')[0]}\``),
    );
    expect(missing).toEqual([]);
  });

  const programs = readdirSync(join(top, 'examples')).filter((name) => /\.(wppl|ts|js)$/.test(name));

  test.each(programs)('%s runs', async (name) => {
    const program = await loadProgram(join(top, 'examples', name));
    const run = { ...quietRun(1), folder: join(top, 'examples') };
    expect(program.run(run)).toBeDefined();
    expect(run.warnings).toEqual([]);
  });
});
