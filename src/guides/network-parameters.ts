/**
 * Parameters of networks are kept and moved in single precision while networks compute in it: reading and writing them is
 * most of what an optimiser does, and takes half the time. Other parameters are kept in double precision.
 */
import { during } from '../runtime/machine.ts';

/** Declares parameters of a network that computes in single precision. */
export function declareSingle<T>(declare: () => T): T {
  return during({ declaresSingle: true }, declare);
}
