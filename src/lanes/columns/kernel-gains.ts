/** Adds the score of a factor to the score and the log-weight of each execution. */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type ModuleBuilder,
  V128,
} from '../../tensor/wasm/assembler.ts';
import { f64, f64x2, i32, v128 } from '../../tensor/wasm/instructions.ts';
import { FIRST_LANE, largerLane, Numbers, sumOfLanes } from './kernel-loops.ts';
import { gaussianScore } from './kernel-scores.ts';

/**
 * `(n, numbers, their step, …, scores, weights)`, two executions at once. Gives the largest weight if all scores are finite,
 * else NaN.
 */
function addGain(
  module: ModuleBuilder,
  name: string,
  given: number,
  score: (b: FunctionBuilder, two: readonly Expression[]) => Expression,
): void {
  module.function(name, new Array(3 + 2 * given).fill(I32), [F64], (b) => {
    const numbers = Array.from(
      { length: given },
      (_, k) => new Numbers(b, b.parameter(1 + 2 * k), b.parameter(2 + 2 * k)),
    );
    const [scores, weights] = [0, 1].map((k) => b.let(I32, b.parameter(1 + 2 * given + k)));
    const left = b.let(I32, b.parameter(0));
    const finiteness = b.let(V128, f64x2.const(0));
    const most = b.let(V128, f64x2.const(-Infinity));
    b.while(i32.gt(left.get, i32.const(0)), () => {
      const gained = b.let(
        V128,
        score(
          b,
          numbers.map((each) => each.two),
        ),
      );
      const weight = b.let(V128, f64x2.add(v128.load([weights.get]), gained.get));
      b.do(v128.store([weights.get, weight.get]));
      b.do(v128.store([scores.get, f64x2.add(v128.load([scores.get]), gained.get)]));
      for (const total of [scores, weights]) total.set(i32.add(total.get, i32.const(16)));
      for (const each of numbers) each.advance();
      // Of an odd number, the last is alone.
      b.if(i32.eq(left.get, i32.const(1)), () => {
        gained.set(v128.and(gained.get, FIRST_LANE));
        weight.set(v128.bitselect(weight.get, f64x2.const(-Infinity), FIRST_LANE));
      });
      most.set(f64x2.quickMax(most.get, weight.get));
      finiteness.set(f64x2.add(finiteness.get, f64x2.sub(gained.get, gained.get)));
      left.set(i32.sub(left.get, i32.const(2)));
    });
    b.do(f64.add(largerLane(most.get), sumOfLanes(finiteness.get)));
  });
}

export function addGains(module: ModuleBuilder): void {
  addGain(module, 'gain', 1, (_b, [score]) => score);
  addGain(module, 'gaussianGain', 4, (b, [value, mu, sigma, logSigma]) => {
    const x = b.let(V128, value);
    const score = gaussianScore(b, f64x2, V128, x.get, mu, sigma, logSigma);
    return v128.bitselect(score, f64x2.const(-Infinity), f64x2.eq(f64x2.sub(x.get, x.get), f64x2.const(0)));
  });
}
