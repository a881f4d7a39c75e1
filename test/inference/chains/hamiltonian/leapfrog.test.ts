/** Leapfrog steps in WebAssembly, against the same arithmetic written out. */
import { describe, expect, it } from 'vitest';
import { isDensity, Leapfrog } from '../../../../src/inference/chains/hamiltonian/leapfrog.ts';
import { PairedLeapfrog } from '../../../../src/inference/chains/hamiltonian/paired-leapfrog.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';
import { recordBinary, recordTernary, recordUnary } from '../../../../src/tensor/elementwise/record.ts';
import { arityOf, elementwiseOps } from '../../../../src/tensor/elementwise/table.ts';
import { gradient } from '../../../../src/tensor/gradient/gradient.ts';
import { input } from '../../../../src/tensor/leaves.ts';
import type { Node } from '../../../../src/tensor/node.ts';
import { add, exp, mul, sin, square, sub } from '../../../../src/tensor/ops.ts';
import { compilePlan, type Plan } from '../../../../src/tensor/plan/compile.ts';
import type { ScalarPlan } from '../../../../src/tensor/plan/scalar-plan.ts';

/** Enough operations for a plan to be WebAssembly. */
function longDensity([x, y, z]: readonly Node[]): Node {
  let total: Node = mul(-0.5, add(square(x), add(square(y), square(z))));
  for (let i = 0; i < 30; i++) total = sub(total, square(sub(add(mul(x, i / 30), sin(y)), mul(exp(mul(0.1, z)), i))));
  return total;
}

function planOf(density: (inputs: readonly Node[]) => Node, dimension: number): Plan {
  const inputs = Array.from({ length: dimension }, () => input());
  const total = density(inputs);
  return compilePlan([total, ...gradient(total, inputs)], inputs);
}

describe('leapfrog steps', () => {
  it('are those of the written formula, to the last bit', () => {
    const plan = planOf(longDensity, 3);
    const steps = Leapfrog.around(plan, 3) as Leapfrog;
    expect(steps).not.toBeNull();
    const inverseMass = Float64Array.of(0.5, 1.25, 2);
    for (const step of [0.003, -0.002]) {
      const position = Float64Array.of(0.3, -1.2, 0.7);
      const momentum = Float64Array.of(1, -0.4, 0.2);
      const slopes = Float64Array.from((plan.run([...position]) as number[]).slice(1));
      const [q, p, g] = [position.slice(), momentum.slice(), slopes.slice()];
      let density = 0;
      for (let i = 0; i < 17; i++) {
        for (let k = 0; k < 3; k++) {
          p[k] += 0.5 * step * g[k];
          q[k] += step * inverseMass[k] * p[k];
        }
        const [value, ...slope] = plan.run([...q]) as number[];
        density = value;
        g.set(slope);
        for (let k = 0; k < 3; k++) p[k] += 0.5 * step * g[k];
      }
      expect(steps.run(position, momentum, slopes, inverseMass, step, 17)).toBe(density);
      expect([position, momentum, slopes]).toEqual([q, p, g]);
    }
  });

  it('are not offered where a derivative is a coordinate, or there are other outputs', () => {
    // The slope along the first coordinate is the fourth.
    const crossed = planOf((inputs) => add(longDensity(inputs.slice(1)), mul(inputs[0], inputs[3])), 4);
    expect(Leapfrog.around(crossed, 4)).toBeNull();
    const inputs = [input(), input(), input()];
    const density = longDensity(inputs);
    const guarded = compilePlan([density, ...gradient(density, inputs), sin(inputs[0])], inputs);
    expect(Leapfrog.around(guarded, 3)).toBeNull();
    const short = planOf(([x]) => mul(-0.5, square(x)), 1);
    expect(Leapfrog.around(short, 1)).toBeNull();
  });
});

describe('leapfrog steps of two points at once', () => {
  it('are those of each point alone, to the last bit', () => {
    const plan = planOf(longDensity, 3);
    const steps = Leapfrog.around(plan, 3) as Leapfrog;
    const paired = new PairedLeapfrog(plan as ScalarPlan, 3);
    const points = [
      { position: [0.3, -1.2, 0.7], momentum: [1, -0.4, 0.2], inverseMass: Float64Array.of(0.5, 1.25, 2), step: 0.003 },
      { position: [-2, 0.1, 3], momentum: [0.5, 2, -1], inverseMass: Float64Array.of(1, 0.1, 1), step: -0.001 },
    ].map(({ position, momentum, inverseMass, step }) => ({
      z: {
        position: Float64Array.from(position),
        momentum: Float64Array.from(momentum),
        gradient: Float64Array.from((plan.run(position) as number[]).slice(1)),
        logDensity: 0,
      },
      inverseMass,
      step,
    }));
    const alone = points.map(({ z, inverseMass, step }) => {
      const [q, p, g] = [z.position.slice(), z.momentum.slice(), z.gradient.slice()];
      return { logDensity: steps.run(q, p, g, inverseMass, step, 17), position: q, momentum: p, gradient: g };
    });
    paired.run(points[0], points[1], 17);
    expect(points.map(({ z }) => z)).toEqual(alone);
  });

  // A plan whose slopes are every operation, of the first three coordinates.
  it('compute every operation as the plan does, whatever is in the other lane', () => {
    const dimension = elementwiseOps.length;
    const inputs = Array.from({ length: dimension }, () => input());
    const [a, b, c] = inputs;
    const applied = elementwiseOps.map((op) => {
      if (arityOf(op) === 1) return recordUnary(op, a);
      return arityOf(op) === 2 ? recordBinary(op, a, b) : recordTernary(op, a, b, c);
    });
    const plan = compilePlan([longDensity(inputs), ...applied], inputs);
    if (!isDensity(plan, dimension)) throw new Error('The plan is of another kind.');
    const paired = new PairedLeapfrog(plan, dimension);
    const random = RandomStream.fromSeed(4).begin();
    const special = [0, -0, 1, -2.5, 0.49999999999999994, 1e-9, 709.5, -720, 1e9, 1e300, Infinity, Number.NaN];
    const numbers = [...special, ...Array.from({ length: 30 }, () => 3 * random.gaussian())];
    const pointAt = (i: number) => {
      const position = new Float64Array(dimension);
      for (let k = 0; k < 3; k++) position[k] = numbers[(i * (k + 1) + 5 * k) % numbers.length];
      // Added to −0, 0 would change it.
      const none = (): Float64Array => new Float64Array(dimension).fill(-0);
      return {
        z: { position, momentum: none(), gradient: none(), logDensity: 0 },
        inverseMass: none().fill(1),
        step: 0,
      };
    };
    for (let i = 0; i < numbers.length; i++) {
      const pair = [pointAt(i), pointAt(7 * i + 3)];
      const expected = pair.map(({ z }) => plan.run([...z.position]));
      paired.run(pair[0], pair[1], 1);
      expect(pair.map(({ z }) => [z.logDensity, ...z.gradient])).toEqual(expected);
    }
  });
});
