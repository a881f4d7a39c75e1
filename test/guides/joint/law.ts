/** The law for guides that know of each other: side by side, compiled, and one by one are the same. */
import { expect } from 'vitest';
import { numbersOf, runProgram } from '../../optimize/run-optimize.ts';
import { GUIDE, type KINDS, PROGRAMS } from './programs.ts';

const STEPS = 5;

async function optimised(code: string, kind: string, estimator: string, sequential: boolean, watched: boolean) {
  const { value } = await runProgram(
    `${code}
    var history = [];
    var params = Optimize(model, {autoGuide: ${kind}, steps: ${STEPS}, estimator: ${estimator}, optMethod: {adam: {stepSize: 0.05}},
      checkGradients: false, ${watched ? 'onStep: function(i, x) { return false; },' : ''}
      onFinish: function(r) { r.history.forEach(x => history.push(x)); }});
    ({params: params, history: history})`,
    { engine: { sequential, precision: 'double' } },
  );
  const { params, history } = value as { params: object; history: number[] };
  return { params: numbersOf(params), history };
}

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-8 * Math.max(1, Math.abs(a), Math.abs(b));

/** Holds a program to the law, with these objectives. */
export async function holdToLaw(
  kind: (typeof KINDS)[number],
  name: string,
  estimators: readonly string[],
): Promise<void> {
  for (const estimator of estimators) {
    const way = (sequential: boolean, watched: boolean) =>
      optimised(PROGRAMS[name], GUIDE[kind], estimator, sequential, watched);
    const apart = await way(true, true);
    expect(apart.history).toHaveLength(STEPS);
    expect(apart.history.every(Number.isFinite)).toBe(true);
    for (const found of [await way(false, true), await way(false, false)]) {
      expect(Object.keys(found.params)).toEqual(Object.keys(apart.params));
      found.history.forEach((objective, i) => {
        expect(close(objective, apart.history[i]), `${estimator} step ${i}`).toBe(true);
      });
      for (const [param, values] of Object.entries(apart.params)) {
        const others = found.params[param];
        values.forEach((x, i) => {
          expect(close(x, others[i]), `${estimator} ${param}[${i}]: ${x} and ${others[i]}`).toBe(true);
        });
      }
    }
  }
}
