/** Modules that are not compiled: what programs may take out of them is known as host code. */
import { addHostFunctions, addLodash, addLodashLater } from './host-functions.ts';
import { isLodash, lodashRuleOf } from './host-rules.ts';

export function addHostModule(module: unknown): void {
  if ((typeof module !== 'object' && typeof module !== 'function') || module === null) return;
  if (isLodash(module)) addLodash(module, hasRule);
  else addHostFunctions({ module, ...module });
}

/**
 * The same of a module that no program changes: its functions are listed when first asked for, which most programs never do.
 */
export function addLater(module: unknown): void {
  if (isLodash(module)) addLodashLater(module as object, hasRule);
  else addHostModule(module);
}

const hasRule = (name: string): boolean => lodashRuleOf(name) !== undefined;
