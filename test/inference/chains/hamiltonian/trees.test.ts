/** Transitions of the No-U-Turn sampler in WebAssembly, against the same in JavaScript. */
import { describe, expect, test } from 'vitest';
import { Flow, type LogDensity, Phase } from '../../../../src/inference/chains/hamiltonian/density.ts';
import { Leapfrog } from '../../../../src/inference/chains/hamiltonian/leapfrog.ts';
import { Nuts } from '../../../../src/inference/chains/hamiltonian/nuts.ts';
import { Trees } from '../../../../src/inference/chains/hamiltonian/trees.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';
import { gradient } from '../../../../src/tensor/gradient/gradient.ts';
import { input } from '../../../../src/tensor/leaves.ts';
import type { Node } from '../../../../src/tensor/node.ts';
import { add, exp, log, mul, square, sub } from '../../../../src/tensor/ops.ts';
import { compilePlan, type Plan } from '../../../../src/tensor/plan/compile.ts';

/** Enough operations for a plan to be WebAssembly, over any number of coordinates. */
function planOf(dimension: number, more: (first: Node) => Node): Plan {
  const inputs = Array.from({ length: dimension }, () => input());
  let total = more(inputs[0]);
  for (let i = 0; i < 120; i++) {
    const x = inputs[i % dimension];
    total = sub(total, mul(0.05, square(sub(x, mul(exp(mul(-0.01, square(x))), i / 60)))));
  }
  return compilePlan([total, ...gradient(total, inputs)], inputs);
}

function phaseAt(plan: Plan, position: readonly number[]): Phase {
  const phase = new Phase(position.length);
  const [logDensity, ...slopes] = plan.run([...position]) as number[];
  phase.position.set(position);
  phase.gradient.set(slopes);
  phase.logDensity = logDensity;
  return phase;
}

function flowOf(leapfrog: Leapfrog, inverseMass: Float64Array): Flow {
  const density: LogDensity = {
    dimension: leapfrog.dimension,
    evaluate: () => Number.NaN,
    travel(z, masses, step, count) {
      z.logDensity = leapfrog.run(z.position, z.momentum, z.gradient, masses, step, count);
      return true;
    },
  };
  return new Flow(density, inverseMass);
}

interface Seen {
  position: number[];
  logDensity: number;
  moved: boolean;
  acceptance: number;
  steps: number;
  divergent: boolean;
  drawn: number;
}

/** The first transition goes on from a number of its choice; each of the others is two choices after the one before. */
function inJavaScript(nuts: Nuts, z: Phase, stepSize: number, random: RandomStream, count: number): Seen[] {
  const seen: Seen[] = [];
  for (let t = 0; t < count; t++) {
    if (t > 0) random.goTo(random.position + 2);
    const before = [...z.position];
    const { acceptance, steps, divergent } = nuts.transition(z, stepSize);
    const position = [...z.position];
    const moved = position.some((x, i) => x !== before[i]);
    seen.push({ position, logDensity: z.logDensity, moved, acceptance, steps, divergent, drawn: random.drawn });
  }
  return seen;
}

const seenOf = (trees: Trees, dimension: number, i: number): Seen => ({
  position: [...trees.numbers.subarray(trees.visit(i), trees.visit(i) + dimension)],
  logDensity: trees.numbers[trees.visit(i) + dimension],
  moved: trees.hasMoved(i),
  acceptance: trees.acceptance(i),
  steps: trees.steps(i),
  divergent: trees.isDivergent(i),
  drawn: trees.drawn(i),
});

describe('trees', () => {
  test.each([
    [1, 0.4, 10],
    [2, 0.02, 5],
    [3, 0.1, 10],
    [8, 0.2, 10],
    [11, 0.15, 3],
  ])(
    'in %i dimensions, of steps of %d and %i doublings, are the same to the last bit',
    (dimension, stepSize, maxDepth) => {
      const plan = planOf(dimension, (x) => mul(-0.5, square(x)));
      const leapfrog = Leapfrog.around(plan, dimension) as Leapfrog;
      const masses = Float64Array.from({ length: dimension }, (_, i) => 0.5 + i / 5);
      const start = Array.from({ length: dimension }, (_, i) => 0.3 * i - 1);
      for (const before of [0, 1, 6, 11]) {
        const random = RandomStream.fromSeed(7).goTo(5);
        for (let i = 0; i < before; i++) random.uniform();
        const nuts = new Nuts(flowOf(leapfrog, masses), random, maxDepth);
        const expected = inJavaScript(nuts, phaseAt(plan, start), stepSize, random, 40);
        expect(expected.filter(({ moved }) => moved).length).toBeGreaterThan(20);
        const trees = new Trees(leapfrog, maxDepth);
        const { key, stretch: epoch } = RandomStream.fromSeed(7);
        const z = phaseAt(plan, start);
        trees.run(z, masses, stepSize, 40, { key, epoch, choice: 5, stride: 2 }, before);
        expect(expected.map((_, i) => seenOf(trees, dimension, i))).toEqual(expected);
        expect([...z.position]).toEqual(expected[39].position);
        // In calls of their own.
        const again = phaseAt(plan, start);
        for (let i = 0; i < 40; i++) {
          trees.run(again, masses, stepSize, 1, { key, epoch, choice: 5 + 2 * i, stride: 2 }, i === 0 ? before : 0);
          expect(seenOf(trees, dimension, 0)).toEqual(expected[i]);
        }
        expect(again.gradient).toEqual(z.gradient);
      }
    },
  );

  test('that diverge', () => {
    const plan = planOf(2, (x) => add(log(x), log(x)));
    const leapfrog = Leapfrog.around(plan, 2) as Leapfrog;
    const masses = Float64Array.of(1, 3);
    const random = RandomStream.fromSeed(2).goTo(1);
    const nuts = new Nuts(flowOf(leapfrog, masses), random, 8);
    const expected = inJavaScript(nuts, phaseAt(plan, [0.2, 1]), 1.1, random, 60);
    expect(expected.filter(({ divergent }) => divergent).length).toBeGreaterThan(10);
    const trees = new Trees(leapfrog, 8);
    expect(trees.most).toBeGreaterThanOrEqual(60);
    const { key, stretch: epoch } = RandomStream.fromSeed(2);
    trees.run(phaseAt(plan, [0.2, 1]), masses, 1.1, 60, { key, epoch, choice: 1, stride: 2 }, 0);
    expect(expected.map((_, i) => seenOf(trees, 2, i))).toEqual(expected);
  });

  test('stay where there is no density', () => {
    const plan = planOf(2, (x) => log(x));
    const trees = new Trees(Leapfrog.around(plan, 2) as Leapfrog, 8);
    const nowhere = phaseAt(plan, [-1, 1]);
    expect(nowhere.logDensity).toBeNaN();
    const { key, stretch: epoch } = RandomStream.fromSeed(2);
    trees.run(nowhere, Float64Array.of(1, 1), 0.1, 3, { key, epoch, choice: 1, stride: 1 }, 0);
    for (let i = 0; i < 3; i++) expect(trees.steps(i)).toBe(0);
    expect([...nowhere.position]).toEqual([-1, 1]);
  });
});

test('a stream goes on after numbers that somebody else has drawn', () => {
  for (const number of [0, 1, 2, 7]) {
    const [drawing, skipping] = [RandomStream.fromSeed(3).goTo(4), RandomStream.fromSeed(3).goTo(4)];
    for (let i = 0; i < number; i++) drawing.uniform();
    skipping.skipTo(number);
    expect(skipping.drawn).toBe(number);
    expect([skipping.uniform(), skipping.gaussian()]).toEqual([drawing.uniform(), drawing.gaussian()]);
  }
});
