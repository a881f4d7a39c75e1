/** Modules that are not compiled: packages, Node's own, plain JavaScript, and JSON. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addHostFunctions } from '../algebra/host-functions.ts';

/** How often programs of this thread have asked for such a module, which may keep any state. */
export const hostModules = { used: 0 };

/** The exports of a module, by name. */
export async function loadHostModule(url: string): Promise<object> {
  if (url.endsWith('.json')) return { default: JSON.parse(readFileSync(fileURLToPath(url), 'utf8')) };
  hostModules.used++;
  const namespace: object = await import(/* @vite-ignore */ url);
  addHostFunctions(namespace);
  // CommonJS modules may show their exports only as fields of the default one.
  const fallback = (namespace as { default?: unknown }).default;
  if (typeof fallback !== 'object' || fallback === null) return namespace;
  addHostFunctions(fallback);
  return { ...fallback, ...namespace };
}
