import { machine } from '../../runtime/machine.ts';
import type { ParameterTable } from '../../runtime/parameters.ts';
import type { OwnParams } from './conditional.ts';

interface Known {
  readonly version: number;
  readonly size: number;
  readonly own: Map<string, OwnParams>;
}

/** By table of parameters, until the table changes. */
const tables = new WeakMap<ParameterTable, Known>();

/** The parameters of one choice as plain numbers, computed once for all executions that draw from the guide. */
export function paramsOnce(name: string, work: () => OwnParams): OwnParams {
  const { params } = machine;
  const version = params.currentVersion;
  let known = tables.get(params);
  if (known?.version !== version || known.size !== params.size) {
    known = { version, size: params.size, own: new Map() };
    tables.set(params, known);
  }
  let own = known.own.get(name);
  if (own === undefined) {
    own = work();
    known.own.set(name, own);
  }
  return own;
}
