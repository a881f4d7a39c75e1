/** Modules that are not compiled: what programs may take out of them is known as host code. */
import { addHostFunctions, addLodash } from './host-functions.ts';
import { isLodash, lodashRuleOf } from './host-rules.ts';

export function addHostModule(module: unknown): void {
  if ((typeof module !== 'object' && typeof module !== 'function') || module === null) return;
  if (isLodash(module)) addLodash(module, (name) => lodashRuleOf(name) !== undefined);
  else addHostFunctions({ module, ...module });
}
