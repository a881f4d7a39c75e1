/** Leapfrog steps in WebAssembly, against the same arithmetic written out. */
import { describe, expect, it } from 'vitest';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, exp, mul, sin, square, sub } from '../../src/tensor/ops.ts';
import { compilePlan, type Plan } from '../../src/tensor/plan/compile.ts';
import { Leapfrog } from '../../src/tensor/plan/leapfrog.ts';

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
