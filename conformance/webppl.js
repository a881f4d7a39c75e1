/**
 * The WebPPL package that Waymark is compared with, as published on npm. It is installed outside the repository's
 * own dependencies, on first use, and never committed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

export const VERSION = '0.9.15';

const root = fileURLToPath(new URL('../.scratch/webppl', import.meta.url));

/** The folder of the package. */
export const folder = join(root, 'node_modules/webppl');

/** Installs the package unless it is there. */
export function install() {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION) return;
  console.error(`Installing webppl@${VERSION} into .scratch/webppl …`);
  mkdirSync(root, { recursive: true });
  const args = ['install', '--prefix', root, '--no-audit', '--no-fund', '--loglevel', 'error', `webppl@${VERSION}`];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install webppl@${VERSION}; is there a network?`);
}

/** The text of a file of the package. */
export function read(path) {
  return readFileSync(join(folder, path), 'utf8');
}

/** `require` as if from a file of the package. */
export function requireFrom(path) {
  return createRequire(join(folder, path));
}

/** Stands for any module of the package that a test file loads but its tables do not need. */
export const anything = new Proxy(() => anything, {
  get: (target, name) => (name === Symbol.toPrimitive ? () => '' : typeof name === 'symbol' ? target[name] : anything),
  apply: () => anything,
  construct: () => anything,
});

/**
 * Evaluates a test file of the package, with its modules replaced where `substitutes` names them, and returns the
 * given variables of it. So the tables of cases are read where they are, and need no copy here.
 */
export function variablesOf(path, names, substitutes = {}) {
  const own = requireFrom(path);
  const require = (name) => {
    if (Object.hasOwn(substitutes, name)) return substitutes[name];
    return name.startsWith('.') || ['seedrandom', 'esprima', 'escodegen'].includes(name) ? anything : own(name);
  };
  const text = `(function (require, module, exports, console) {\n${read(path)}\n;return {${names.join(', ')}};\n})`;
  const module = { exports: {} };
  return runInThisContext(text, { filename: join(folder, path) })(require, module, module.exports, { log() {} });
}
