/** WebPPL's object of numeric functions. */

import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { LOG_2PI } from '../../tensor/constants.ts';
import { logAddExp } from '../../tensor/special/exponentials.ts';
import { logFactorial } from '../../tensor/special/gamma.ts';
import { squishToProbSimplex } from '../activations.ts';
import { logsumexp, product, sum } from '../sums.ts';

function checkWhole(caller: string, n: unknown): void {
  if (Number.isInteger(n) && (n as number) >= 0) return;
  throw new WaymarkError(`${caller} needs a whole number of at least 0, got ${describe(n)}.`);
}

/** 1 · 2 · … · n. */
function fact(n: number): number {
  checkWhole('numeric.fact', n);
  let result = 1;
  for (let i = 2; i <= n && result < Infinity; i++) result *= i;
  return result;
}

/** The logarithm of n!. */
function lnfact(n: number): number {
  checkWhole('numeric.lnfact', n);
  return logFactorial(n);
}

/** WebPPL's object of numeric functions. */
export const numeric = {
  LOG_PI: Math.log(Math.PI),
  LOG_2PI,
  sum,
  _sum: sum,
  product,
  fact,
  lnfact,
  logaddexp: logAddExp,
  _logsumexp: logsumexp,
  logsumexp,
  squishToProbSimplex,
};
