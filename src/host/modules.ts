/** Modules that are not part of Waymark: packages, the platform's own, plain JavaScript, and JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ownPlace } from './own-place.ts';
import { packages } from './packages.ts';

/** For packages in the form of CommonJS: importing one of them makes Node parse all of it to find out what it exports. */
const require = createRequire(ownPlace());

export function lodashModule(): unknown {
  return (packages.load ?? require)('lodash');
}

export async function assertModule(): Promise<unknown> {
  return (await import('node:assert')).default;
}

/** What `require` means in a file. */
export const requireIn = (file: string): unknown => createRequire(file);

/** A package that may be installed or not. */
export function installedPackage(name: string): { readonly module: unknown; readonly file: string } | undefined {
  try {
    return { module: require(name), file: require.resolve(name) };
  } catch {
    return undefined;
  }
}

/** The value in a JSON module. */
export const jsonModule = (url: string): unknown => JSON.parse(readFileSync(fileURLToPath(url), 'utf8'));

/** What stands for the contents of a module: its bytes, where it is a file. */
export const contentsOf = (url: string): string | Uint8Array =>
  url.startsWith('file:') ? readFileSync(fileURLToPath(url)) : url;
