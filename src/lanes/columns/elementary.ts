/**
 * Elementary functions of columns. Kernels compute them by the formulas of V8's `Math` (`tensor/wasm/fdlibm.ts`), so that a column holds to the last
 * bit what each execution alone would compute. Before one is used, it is held to the `Math` that there is: in another engine, or where a
 * compiler has fused its products and sums, JavaScript's own functions are called.
 */
import { SOFTPLUS } from '../../tensor/elementwise/table.ts';
import { sigmoid } from '../../tensor/special/exponentials.ts';
import { Doubles } from './kernel-memory.ts';
import { elementwise } from './kernels.ts';

const FUNCTIONS = {
  exp: Math.exp,
  log: Math.log,
  tanh: Math.tanh,
  sigmoid,
  softplus: SOFTPLUS.compute as (x: number) => number,
} as const;

export type Elementary = keyof typeof FUNCTIONS;

export const isElementary = (name: string): name is Elementary => Object.hasOwn(FUNCTIONS, name);

/** So many numbers of either sign tell: where formulas differ, some of a hundred results do. */
const TRIED = 256;
const LEAST_POWER = -16;
const MOST_POWER = 9;

/** Whether the kernels compute what this engine's `Math` does. */
const agrees = new Map<Elementary, boolean>();

function tried(name: Elementary): boolean {
  const power = (i: number): number => LEAST_POWER + ((MOST_POWER - LEAST_POWER) * i) / TRIED;
  const arguments_ = Float64Array.from({ length: TRIED }, (_, i) => (i % 2 === 0 ? 1 : -1) * 2 ** power(i));
  const given = Doubles.of(arguments_);
  const made = elementwise(name, TRIED, given);
  const results = made.array;
  for (const numbers of [given, made]) numbers.release();
  return arguments_.every((x, i) => Object.is(results[i], FUNCTIONS[name](x)));
}

/** The function of each number; written over others, if these are given. */
export function elementary(name: Elementary, numbers: Doubles, into?: Doubles): Doubles {
  let byKernel = agrees.get(name);
  if (byKernel === undefined) {
    byKernel = tried(name);
    agrees.set(name, byKernel);
  }
  if (byKernel) return elementwise(name, numbers.length, numbers, undefined, undefined, undefined, into);
  const results = numbers.array.map(FUNCTIONS[name]);
  if (into === undefined) return Doubles.of(results);
  into.become(results);
  return into;
}
