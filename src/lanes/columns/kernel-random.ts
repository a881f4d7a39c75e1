/** Draws of random streams, four at once: each draws what `runtime/random.ts` says it draws. */
import { type Expression, F64, I32, type Local, type ModuleBuilder, V128 } from '../../tensor/wasm/assembler.ts';
import { f64x2, i32, v128 } from '../../tensor/wasm/instructions.ts';
import { addBeyond, type Call, normalPairs } from '../../tensor/wasm/normals.ts';
import { uniforms } from '../../tensor/wasm/philox.ts';
import { addLogGammas } from './kernel-gammas.ts';
import { Numbers, sumOfLanes } from './kernel-loops.ts';
import { TABLE_AT } from './kernel-places.ts';
import { gaussianScore } from './kernel-scores.ts';
import { GIVEN, ofChild, ofChoice, overStreams, type Row } from './kernel-streams.ts';

/**
 * Draws from Gaussians, by mu, sigma and, to add the score of each to totals (if their address is not 0), log sigma. Gives 0 if all numbers
 * are finite, else NaN.
 */
function addNormals(module: ModuleBuilder, beyond: Call): void {
  overStreams(
    module,
    'normals',
    GIVEN,
    ofChoice,
    (b, [out, totals, mu, muStep, sigma, sigmaStep, log, logStep]) => {
      const [mean, scale, logScale] = [
        new Numbers(b, mu, muStep),
        new Numbers(b, sigma, sigmaStep),
        new Numbers(b, log, logStep),
      ];
      const to = b.let(I32, out);
      const total = b.let(I32, totals);
      const finiteness = b.let(V128, f64x2.const(0));
      const four = (words: readonly Local[], rows: readonly Row[]): void => {
        const origin = (lane: Expression) => ({
          ...{ key0: rows[0].one(lane), key1: rows[1].one(lane), choice: rows[2].one(lane), epoch: rows[3].one(lane) },
          number: i32.const(0),
        });
        const drawn = normalPairs(b, beyond, i32.const(TABLE_AT), [words[0], words[1]], origin);
        drawn.forEach((normals, half) => {
          const [m, s] = [b.let(V128, mean.two), b.let(V128, scale.two)];
          const x = b.let(V128, f64x2.add(m.get, f64x2.mul(s.get, normals.get)));
          b.do(v128.store([to.get, x.get], 16 * half));
          const difference = b.let(V128, f64x2.sub(x.get, x.get));
          finiteness.set(f64x2.add(finiteness.get, difference.get));
          b.if(totals, () => {
            const score = gaussianScore(b, f64x2, V128, x.get, m.get, s.get, logScale.two);
            const possible = v128.bitselect(score, f64x2.const(-Infinity), f64x2.eq(difference.get, f64x2.const(0)));
            b.do(v128.store([total.get, f64x2.add(v128.load([total.get], 16 * half), possible)], 16 * half));
            logScale.advance();
          });
          mean.advance();
          scale.advance();
        });
        to.set(i32.add(to.get, i32.const(32)));
        total.set(i32.add(total.get, i32.const(32)));
      };
      return { four, result: sumOfLanes(finiteness.get) };
    },
    [F64],
  );
}

/** Draws truth values, by their probability and, to add the score of each to totals (if their address is not 0), the scores of true and false. */
function addFlips(module: ModuleBuilder): void {
  overStreams(module, 'flips', GIVEN, ofChoice, (b, [out, totals, p, pStep, yes, yesStep, no, noStep]) => {
    const probability = new Numbers(b, p, pStep);
    const scores = [new Numbers(b, yes, yesStep), new Numbers(b, no, noStep)];
    const to = b.let(I32, out);
    const total = b.let(I32, totals);
    const two = (uniforms: Expression, half: number): void => {
      const holds = b.let(V128, f64x2.lt(uniforms, probability.two));
      b.do(v128.store([to.get, v128.and(holds.get, f64x2.const(1))], 16 * half));
      probability.advance();
      b.if(totals, () => {
        const score = v128.bitselect(scores[0].two, scores[1].two, holds.get);
        b.do(v128.store([total.get, f64x2.add(v128.load([total.get], 16 * half), score)], 16 * half));
        for (const each of scores) each.advance();
      });
    };
    return {
      four(words) {
        uniforms(b, words[0], words[1]).forEach(two);
        to.set(i32.add(to.get, i32.const(32)));
        total.set(i32.add(total.get, i32.const(32)));
      },
    };
  });
}

export function addRandom(module: ModuleBuilder): void {
  const beyond = addBeyond(module);

  overStreams(module, 'uniforms', GIVEN, ofChoice, (b, [out]) => {
    const to = b.let(I32, out);
    return {
      four(words) {
        const [lower, upper] = uniforms(b, words[0], words[1]);
        b.do(v128.store([to.get, lower]));
        b.do(v128.store([to.get, upper], 16));
        to.set(i32.add(to.get, i32.const(32)));
      },
    };
  });
  addNormals(module, beyond);
  addFlips(module);
  addLogGammas(module, beyond);

  overStreams(module, 'keys', 2, ofChild, (b, [out0, out1]) => {
    const to0 = b.let(I32, out0);
    const to1 = b.let(I32, out1);
    return {
      four(words) {
        b.do(v128.store([to0.get, words[0].get]));
        b.do(v128.store([to1.get, words[1].get]));
        to0.set(i32.add(to0.get, i32.const(16)));
        to1.set(i32.add(to1.get, i32.const(16)));
      },
    };
  });
}
