/**
 * What some machines have and others lack. Tests that need it ask here, so that they are skipped where it is missing;
 * `WAYMARK_EXTRAS=blas` says that it is there, so that they fail where it is not found. `.ci/run` finds the files that need
 * extras by their import of this one.
 */
import { systemBlas } from '../src/tensor/blas.ts';

const promised = (process.env.WAYMARK_EXTRAS ?? '').split(',');

function found(name: string, there: boolean): boolean {
  if (!there && promised.includes(name)) throw new Error(`WAYMARK_EXTRAS promises ${name}, and it is not found.`);
  return there;
}

/** The BLAS of the system, with `koffi` to call it. */
export const hasBlas = found('blas', systemBlas() !== null);
