import { machine } from '../../runtime/machine.ts';
import type { ParameterTable } from '../../runtime/parameters.ts';
import type { Parts } from './conditional.ts';

interface Known {
  readonly version: number;
  readonly size: number;
  readonly parts: Map<string, Parts>;
}

/** By table of parameters, until the table changes. */
const tables = new WeakMap<ParameterTable, Known>();

/** The parameters of one choice as plain numbers, computed once for all executions that draw from the guide. */
export function partsOnce(name: string, work: () => Parts): Parts {
  const { params } = machine;
  const version = params.currentVersion;
  let known = tables.get(params);
  if (known?.version !== version || known.size !== params.size) {
    known = { version, size: params.size, parts: new Map() };
    tables.set(params, known);
  }
  let parts = known.parts.get(name);
  if (parts === undefined) {
    parts = work();
    known.parts.set(name, parts);
  }
  return parts;
}
