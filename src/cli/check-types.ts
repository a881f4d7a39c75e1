/** Type errors of TypeScript programs, by the TypeScript that is installed where they are. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Located } from '../program/locate.ts';
import { COMPILER_OPTIONS } from './project-files.ts';

/** Types of this package, beside the build. */
const OWN_TYPES = fileURLToPath(new URL('./types', import.meta.url));

/** The errors that TypeScript finds in these files; none where TypeScript is not installed. */
export function typeErrors(files: readonly string[]): Located[] {
  const programs = files.filter((file) => file.endsWith('.ts')).map((file) => resolve(file));
  const groups = new Map<string, string[]>();
  for (const file of programs) {
    const key = `${compilerFor(file) ?? ''}\n${configFor(file) ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups].flatMap(([key, group]) => {
    const [compiler, config] = key.split('\n');
    return compiler === '' ? [] : errorsOf(compiler, config === '' ? undefined : config, group);
  });
}

/** The command of the nearest installed TypeScript. */
function compilerFor(file: string): string | undefined {
  try {
    const place = createRequire(file).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(place, 'utf8')) as { bin?: { tsc?: string } };
    return bin?.tsc === undefined ? undefined : join(dirname(place), bin.tsc);
  } catch {
    return undefined;
  }
}

/** The nearest tsconfig.json. */
function configFor(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const config = join(folder, 'tsconfig.json');
    if (existsSync(config)) return config;
    if (dirname(folder) === folder) return undefined;
  }
}

function errorsOf(compiler: string, config: string | undefined, files: readonly string[]): Located[] {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-check-'));
  try {
    const place = join(folder, 'tsconfig.json');
    writeFileSync(place, JSON.stringify(project(config, files)));
    const args = [compiler, '--project', place, '--noEmit', '--pretty', 'false'];
    const { stdout, stderr, error } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (error !== undefined) return [{ message: `TypeScript failed: ${error.message}`, file: files[0], frames: [] }];
    return read(`${stdout}\n${stderr}`, folder, files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The project's own settings where it has some. Nothing is written, and only these files are looked at. */
function project(config: string | undefined, files: readonly string[]): object {
  const typeRoots = ancestors(dirname(files[0])).map((folder) => join(folder, 'node_modules/@types'));
  const own = isInstalled(files[0]) || !existsSync(OWN_TYPES) ? {} : { paths: ownPaths() };
  const common = { noEmit: true, composite: false, incremental: false, typeRoots: typeRoots.filter(existsSync) };
  if (config === undefined) return { compilerOptions: { ...COMPILER_OPTIONS, ...common, ...own }, files };
  return { extends: config, compilerOptions: { ...common, ...own }, files, include: [], references: [] };
}

const isInstalled = (file: string): boolean =>
  ancestors(dirname(file)).some((folder) => existsSync(join(folder, 'node_modules/waymark')));

const ownPaths = (): Record<string, string[]> => ({
  waymark: [join(OWN_TYPES, 'index.d.ts')],
  'waymark/webppl': [join(OWN_TYPES, 'webppl.d.ts')],
  'waymark/program': [join(OWN_TYPES, 'program/index.d.ts')],
});

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

const LINE = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/;
const GENERAL = /^error (TS\d+): (.*)$/;

/** Lines that are indented go on with the message before them. */
function read(text: string, folder: string, files: readonly string[]): Located[] {
  const found: { message: string; place?: [string, number, number] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const at = LINE.exec(line);
    const general = GENERAL.exec(line);
    if (at !== null) {
      const [, file, row, column, code, message] = at;
      found.push({ message: `${message} (${code})`, place: [resolve(folder, file), Number(row), Number(column)] });
    } else if (general !== null) found.push({ message: `${general[2]} (${general[1]})` });
    else if (/^\s+\S/.test(line) && found.length > 0) found[found.length - 1].message += `\n${line}`;
  }
  return found.map(({ message, place }) => {
    if (place === undefined) return { message, file: shown(files[0]), frames: [] };
    const [file, line, column] = place;
    const source = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    return { message, file: shown(file), line, column, source, frames: [] };
  });
}

/** The path from the current folder, or the whole path of a file that lies elsewhere. */
function shown(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') ? file : name;
}
