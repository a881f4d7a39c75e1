/** Modules that are not compiled: packages, Node's own, plain JavaScript, and JSON. */
import { addHostFunctions } from '../algebra/host-functions.ts';
import { addHostModule } from '../algebra/host-modules.ts';
import { jsonModule } from '../host/modules.ts';

/** How often programs of this thread have asked for such a module, which may keep any state. */
export const hostModules = { used: 0 };

/** The exports of a module, by name. */
export async function loadHostModule(url: string): Promise<object> {
  if (url.endsWith('.json')) return { default: jsonModule(url) };
  hostModules.used++;
  const namespace: object = await import(/* @vite-ignore */ url);
  addHostFunctions(namespace);
  // CommonJS modules may show their exports only as fields of the default one.
  const fallback = (namespace as { default?: unknown }).default;
  addHostModule(fallback);
  if (typeof fallback !== 'object' || fallback === null) return namespace;
  return { ...fallback, ...namespace };
}
