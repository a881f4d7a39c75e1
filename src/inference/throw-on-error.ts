import { WaymarkError } from '../runtime/errors.ts';
import type { Posterior } from './algorithm.ts';

/** The option `throwOnError`: if it is false, an error for the author of the program is returned as the result. */
export function throwOrReturn<T>(throwOnError: boolean, infer: () => Posterior<T>): Posterior<T> {
  if (throwOnError) return infer();
  try {
    return infer();
  } catch (error) {
    if (error instanceof WaymarkError) return error as unknown as Posterior<T>;
    throw error;
  }
}
