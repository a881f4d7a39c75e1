/** The packed package, installed into a folder of its own, and projects that use it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Tools that the projects use, as they are installed here. */
const LINKED = ['vite', 'vitest', 'esbuild', 'rolldown', 'typescript', '@types/node'];

const QUIETLY = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Where the package is installed, and what is in it. */
export interface Installed {
  readonly folder: string;
  readonly packed: readonly string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    installed: Installed;
  }
}

/** Before all tests: packs, installs, and takes everything away at the end. */
export default function setup({ provide }: TestProject): () => void {
  if (!existsSync(join(root, 'dist/lib/index.js')) || !existsSync(join(root, 'dist/types/index.d.ts'))) {
    throw new Error('The package has not been built: npm run build');
  }
  const folder = mkdtempSync(join(tmpdir(), 'waymark-package-'));
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename, files }] = JSON.parse(execFileSync('npm', packing, { cwd: root, encoding: 'utf8' })) as [
    { filename: string; files: readonly { path: string }[] },
  ];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  execFileSync('npm', ['install', '--omit=optional', ...QUIETLY, join(folder, filename)], { cwd: folder });
  for (const name of LINKED) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
  }
  provide('installed', { folder, packed: files.map(({ path }) => path) });
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Writes the files of a project beside the package, and gives its folder. */
export function project({ folder }: Installed, name: string, texts: Readonly<Record<string, string>>): string {
  const place = join(folder, name);
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return place;
}

/** Installs other packages, in a folder of their own; false if they cannot be had. */
export function install({ folder }: Installed, ...names: readonly string[]): boolean {
  const place = join(folder, 'others');
  mkdirSync(place, { recursive: true });
  return spawnSync('npm', ['install', '--prefix', place, ...QUIETLY, ...names]).status === 0;
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
