/** The packed package, installed into a folder of its own, and projects that use it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Tools that the projects use, as they are installed here. */
const LINKED = ['vite', 'vitest', 'esbuild', 'rolldown', 'typescript', '@types/node'];

const QUIETLY = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

export interface PackedFile {
  readonly path: string;
}

export interface Scratch {
  readonly folder: string;
  /** What is in the package. */
  readonly packed: readonly string[];
  /** Writes the files of a project, and gives its folder. */
  project(name: string, files: Readonly<Record<string, string>>): string;
  /** Installs packages besides; false if they cannot be had. */
  install(...names: readonly string[]): boolean;
  remove(): void;
}

export function scratch(): Scratch {
  if (!existsSync(join(root, 'dist/lib/index.js')) || !existsSync(join(root, 'dist/types/index.d.ts'))) {
    throw new Error('The package has not been built: npm run build');
  }
  const folder = mkdtempSync(join(tmpdir(), 'waymark-package-'));
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ filename: string; files: readonly PackedFile[] }];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  npm('install', '--omit=optional', ...QUIETLY, join(folder, filename));
  for (const name of LINKED) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
  }
  return {
    folder,
    packed: files.map(({ path }) => path),
    project(name, texts) {
      const place = join(folder, name);
      for (const [file, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(place, file)), { recursive: true });
        writeFileSync(join(place, file), text);
      }
      return place;
    },
    install(...names) {
      // In a folder of their own, since npm would take away what is linked.
      const place = join(folder, 'others');
      mkdirSync(place, { recursive: true });
      const { status } = spawnSync('npm', ['install', '--prefix', place, ...QUIETLY, ...names], { encoding: 'utf8' });
      return status === 0;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a command in a folder, and gives what it prints. */
export function printed(folder: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
