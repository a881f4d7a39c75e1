/** Transitions of Hamiltonian Monte Carlo in WebAssembly, against the same arithmetic with a stream of random numbers. */
import { describe, expect, it } from 'vitest';
import { Leapfrog } from '../../../../src/inference/chains/hamiltonian/leapfrog.ts';
import { Transitions } from '../../../../src/inference/chains/hamiltonian/transitions.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';
import { gradient } from '../../../../src/tensor/gradient/gradient.ts';
import { input } from '../../../../src/tensor/leaves.ts';
import type { Node } from '../../../../src/tensor/node.ts';
import { add, exp, log, mul, square, sub } from '../../../../src/tensor/ops.ts';
import { compilePlan } from '../../../../src/tensor/plan/compile.ts';

/** Enough operations for a plan to be WebAssembly, over any number of coordinates. */
function planOf(dimension: number, more: (first: Node) => Node) {
  const inputs = Array.from({ length: dimension }, () => input());
  let total = more(inputs[0]);
  for (let i = 0; i < 120; i++) {
    const x = inputs[i % dimension];
    total = sub(total, mul(0.1, square(sub(x, mul(exp(mul(-0.01, square(x))), i / 60)))));
  }
  return compilePlan([total, ...gradient(total, inputs)], inputs);
}

const MOTION = { steps: 4, stepSize: 0.3, jitter: 0.2 };

const stateAt = (plan: ReturnType<typeof planOf>, position: number[]) => {
  const [logDensity, ...slopes] = plan.run(position) as number[];
  return { position: Float64Array.from(position), gradient: Float64Array.from(slopes), logDensity };
};

/** Each transition is a choice of the stream, and what else is begun in between is left alone. */
function oneByOne(
  leapfrog: Leapfrog,
  z: ReturnType<typeof stateAt>,
  masses: Float64Array,
  random: RandomStream,
  count: number,
) {
  const visits: { position: number[]; logDensity: number; accepted: boolean }[] = [];
  const joint = (momentum: Float64Array, logDensity: number): number => {
    let kinetic = 0;
    for (let i = 0; i < momentum.length; i++) kinetic += momentum[i] * momentum[i] * masses[i];
    const value = logDensity - 0.5 * kinetic;
    return Number.isNaN(value) ? -Infinity : value;
  };
  for (let t = 0; t < count; t++) {
    random.begin();
    let accepted = false;
    if (Number.isFinite(z.logDensity)) {
      const position = z.position.slice();
      const slopes = z.gradient.slice();
      const momentum = masses.map((mass) => random.gaussian() / Math.sqrt(mass));
      const before = joint(momentum, z.logDensity);
      const step = MOTION.stepSize * (1 + MOTION.jitter * (2 * random.uniform() - 1));
      const logDensity = leapfrog.run(position, momentum, slopes, masses, step, MOTION.steps);
      accepted = Math.log(random.uniform()) < joint(momentum, logDensity) - before;
      if (accepted) Object.assign(z, { position, gradient: slopes, logDensity });
    }
    visits.push({ position: [...z.position], logDensity: z.logDensity, accepted });
    random.begin();
  }
  return visits;
}

describe('transitions', () => {
  it.each([1, 2, 3, 12])('in %i dimensions are those of the written formula, to the last bit', (dimension) => {
    const plan = planOf(dimension, (x) => mul(-0.5, square(x)));
    const leapfrog = Leapfrog.around(plan, dimension) as Leapfrog;
    const transitions = new Transitions(leapfrog, MOTION);
    const masses = Float64Array.from({ length: dimension }, (_, i) => 0.5 + i / 5);
    const start = Array.from({ length: dimension }, (_, i) => 0.3 * i - 1);
    const expected = oneByOne(leapfrog, stateAt(plan, start), masses, RandomStream.fromSeed(7).goTo(5), 60);
    expect(expected.filter(({ accepted }) => accepted).length).toBeGreaterThan(20);
    expect(expected.every(({ accepted }) => accepted)).toBe(false);
    const { key, stretch: epoch } = RandomStream.fromSeed(7);
    const z = stateAt(plan, start);
    const found: typeof expected = [];
    // In two calls, the second of which goes on from where the first ended. Choice 5 is begun before the first of them.
    for (const [from, count] of [
      [0, 25],
      [25, 35],
    ]) {
      transitions.run(z, masses, count, { key, epoch, choice: 6 + 2 * from, stride: 2 });
      for (let i = 0; i < count; i++) {
        const at = transitions.visit(i);
        found.push({
          position: [...transitions.numbers.subarray(at, at + dimension)],
          logDensity: transitions.numbers[at + dimension],
          accepted: transitions.isAccepted(i),
        });
      }
    }
    expect(found).toEqual(expected);
    expect([...z.position]).toEqual(expected[59].position);
  });

  it('reject what is not a number, and stay where there is no density', () => {
    const plan = planOf(2, (x) => add(log(x), log(x)));
    const leapfrog = Leapfrog.around(plan, 2) as Leapfrog;
    const transitions = new Transitions(leapfrog, { ...MOTION, stepSize: 3 });
    const masses = Float64Array.of(1, 1);
    const { key } = RandomStream.fromSeed(1);
    const z = stateAt(plan, [0.1, 1]);
    transitions.run(z, masses, 100, { key, epoch: 0, choice: 1, stride: 1 });
    for (let i = 0; i < 100; i++) expect(transitions.numbers[transitions.visit(i)]).toBeGreaterThan(0);
    expect(z.logDensity).toBeGreaterThan(-Infinity);
    const nowhere = stateAt(plan, [-1, 1]);
    expect(nowhere.logDensity).toBeNaN();
    transitions.run(nowhere, masses, 10, { key, epoch: 0, choice: 1, stride: 1 });
    for (let i = 0; i < 10; i++) expect(transitions.isAccepted(i)).toBe(false);
    expect([...nowhere.position]).toEqual([-1, 1]);
  });
});
