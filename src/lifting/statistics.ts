/** Statistics of distributions whose parameters are nodes; of anything else they are the plain ones. */
import * as plain from '../library/index.ts';
import * as ops from '../tensor/ops.ts';
import { LiftedDistribution } from './distribution.ts';

type Any = (...args: unknown[]) => unknown;
type Form = 'mean' | 'variance' | 'quantile';

/** What a lifted distribution knows of itself in closed form. */
const known = (of: unknown, form: Form): Any | undefined =>
  of instanceof LiftedDistribution ? (of as unknown as Partial<Record<Form, Any>>)[form] : undefined;

const closed =
  (form: Form, native: unknown): Any =>
  (of, ...args) =>
    (known(of, form) ?? (native as Any).bind(null, of))(...args);

export const mean = closed('mean', plain.mean);
export const variance = closed('variance', plain.variance);

export function stdev(of: unknown): unknown {
  const own = known(of, 'variance');
  return own === undefined ? (plain.stdev as Any)(of) : ops.sqrt(own() as never);
}

export function quantile(of: unknown, p: unknown): unknown {
  const own = known(of, 'quantile');
  if (own === undefined) return (plain.quantile as Any)(of, p);
  return Array.isArray(p) ? p.map((one) => own(one)) : own(p);
}

export const median = (of: unknown): unknown => known(of, 'quantile')?.(0.5) ?? (plain.median as Any)(of);
