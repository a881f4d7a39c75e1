/** Random numbers of lanes that each run finds anew, in plans, against those that JavaScript draws. */
import { expect, it } from 'vitest';
import { gatherTo } from '../../src/tensor/lane-gather.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import { fillNoise, laneNoiseAt, openSpace } from '../../src/tensor/partition.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { SCALAR } from '../../src/tensor/shape.ts';

/** No multiple of a vector's; and so many that some normals come from beyond the edges of their layers. */
const LANES = 603;
const RUNS = 7;

const space = new LaneSpace(LANES);
const everywhere = Int32Array.from({ length: LANES }, (_, i) => i);
const condition = input(SCALAR, 'bool', space);
condition.data = new Float32Array(LANES).fill(1);
const side = openSpace(space, condition, true, everywhere);
const choice = input(SCALAR, 'f64', space);
const [key0, key1] = [input(SCALAR, 'i32', space), input(SCALAR, 'i32', space)];

it.each((['uniform', 'gaussian'] as const).flatMap((kind) => [1, 2, 5].map((each) => [kind, each] as const)))(
  '%s, %i of each lane',
  (kind, each) => {
    const shape = each === 1 ? SCALAR : [each];
    const noise = laneNoiseAt(kind, shape, gatherTo(choice, side), side.partition!, key0, key1);
    const plan = compilePlan([noise], [condition, choice, key0, key1]);
    for (let run = 0; run < RUNS; run++) {
      const truth = Float32Array.from(everywhere, (lane) => (run === 3 ? 0 : (lane * 7 + run) % 5 < run ? 1 : 0));
      const choices = Float64Array.from(everywhere, (lane) => (run === 5 ? 2 ** 31 - 1 - lane : (lane * 3) % 11));
      const keys = [1, 2].map((k) => Int32Array.from(everywhere, (lane) => Math.imul(lane + 1, 0x9e3779b9 * k + run)));
      const taking = everywhere.filter((lane) => truth[lane] === 1);
      const expected = new Float64Array(each * taking.length);
      const own = Float64Array.from(taking, (lane) => choices[lane]);
      fillNoise(kind, each, own, taking, keys[0], keys[1], taking.length, expected);
      const [found] = plan.run([truth, choices, keys[0], keys[1]]);
      const count = each * plan.lanesOf!(0)!;
      expect(count).toBe(expected.length);
      expect([...(found as Float64Array).subarray(0, count)]).toEqual([...expected]);
    }
  },
);
