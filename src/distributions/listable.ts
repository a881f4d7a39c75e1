/** How many values of a distribution are listed. */
import { TooManyValues } from '../runtime/too-many-values.ts';

/** Numbers: so many take about a hundred megabytes. */
const MOST_NUMBERS = 10_000_000;
/** Values that are objects themselves take more. */
export const MOST_OBJECTS = 1_000_000;

/** The whole numbers from 0 on, so many. By a plain loop, because enumeration asks at every visit of a choice. */
export function wholeNumbersBelow(n: number, name: string): number[] {
  if (n > MOST_NUMBERS) throw new TooManyValues(name, String(n));
  const numbers: number[] = [];
  for (let k = 0; k < n; k++) numbers.push(k);
  return numbers;
}
