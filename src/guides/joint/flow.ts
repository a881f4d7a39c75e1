/**
 * A Gaussian of full rank whose noise is transformed first: each number by a monotone spline, whose knots a network
 * computes from the noise before it, of earlier choices and of the same (Papamakarios, Pavlakou & Murray 2017;
 * Durkan et al. 2019). Values are drawn in one pass; the way back takes as many passes as a choice has numbers.
 */
import { type Node, shapeOf, type Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { mask, type Tensor } from '../../tensor/tensor.ts';
import { agreedSize, type Extent, type JointKind, type OwnParams } from './conditional.ts';
import { LinearConditional, linearParams } from './full-rank.ts';
import { asColumn, fromColumn, times } from './matrices.ts';
import type { JointState } from './preceding-choices.ts';
import { type Moved, splineForward, splineInverse, splineNumbers } from './rational-quadratic.ts';

export interface FlowSizes {
  /** Units of the network of each choice. */
  readonly hidden: number;
  /** Bins of each spline. */
  readonly bins: number;
}

/** Where none are given. */
export const STANDARD_FLOW: FlowSizes = { hidden: 16, bins: 8 };

/** Splines transform the interval from −RANGE to RANGE; outside of it they change nothing. */
const RANGE = 5;

class FlowConditional extends LinearConditional {
  private readonly bins: number;
  private moved: { readonly noise: Value; readonly by: Moved } | null = null;

  constructor(params: OwnParams, extent: Extent, before: JointState) {
    super(params, extent, before);
    this.bins = binsOf(shapeOf(params.bends!)[0] / extent.size);
  }

  /** The numbers of splines, a row for each of the choice's numbers. */
  private free(noise: Value): Value {
    const { bends, out, units, seen, own } = this.params;
    const { size } = this.extent;
    const { features } = this.before;
    const per = splineNumbers(this.bins);
    let all = bends!;
    if (out !== null) {
      let sum = units!;
      if (seen !== null && features !== null) sum = ops.add(sum, times(seen, features)) as Value;
      if (own !== null) sum = ops.add(sum, times(own, noise)) as Value;
      all = ops.add(all, times(out, ops.tanh(sum as Node) as Value)) as Value;
    }
    return ops.reshape(all as Node, [size, per]) as Value;
  }

  private bent(noise: Value): Moved {
    if (this.moved?.noise !== noise) {
      const column = asColumn(noise, this.extent.scalar);
      this.moved = { noise, by: splineForward(ops, column, this.free(column), this.bins, RANGE) };
    }
    return this.moved.by;
  }

  override pointOf(noise: Value): Value {
    return super.pointOf(fromColumn(this.bent(noise).value, this.extent.scalar));
  }

  override noiseOf(point: Value): Value {
    const bent = asColumn(super.noiseOf(point), this.extent.scalar);
    let noise = ops.mul(0, bent) as Value;
    // After k rounds the first k numbers are right, since they depend on nothing else.
    for (let k = 0; k < (this.params.own === null ? 1 : this.extent.size); k++) {
      noise = splineInverse(ops, bent, this.free(noise), this.bins, RANGE).value;
    }
    return fromColumn(noise, this.extent.scalar);
  }

  override logDensityOfNoise(noise: Value): Value {
    return ops.sub(super.logDensityOfNoise(noise), this.bent(noise).logStretch) as Value;
  }
}

/** Bins of a spline that has so many numbers. */
const binsOf = (numbers: number): number => (numbers + 1) / 3;

/** A flow with these sizes; without sizes, as it has been learned. */
export const flow = (sizes: FlowSizes | undefined): JointKind => ({
  words: 'a flow',
  gaussian: false,

  params(own, extent, before) {
    const { size } = extent;
    const { count } = before;
    const known = own.dimsOf('bends')?.[0];
    const bins = agreedSize('bins', known === undefined ? undefined : binsOf(known / size), sizes?.bins);
    const numbers = size * splineNumbers(bins);
    const inputs = count + size - 1;
    // The first number of all has nothing to depend on, and needs no network.
    const out = inputs === 0 ? null : own.after('out', [numbers, sizes?.hidden ?? STANDARD_FLOW.hidden], 0);
    const hidden = out === null ? 0 : agreedSize('hidden', shapeOf(out)[1], sizes?.hidden);
    const spread = 1 / Math.sqrt(Math.max(inputs, 1));
    const per = numbers / size;
    // Unit h sees as many numbers of the choice as h mod size.
    const into = out === null || size === 1 ? null : own.after('own', [hidden, size], spread);
    const masked = (x: Value | null, by: Tensor): Value | null => x && (ops.mul(x, by) as Value);
    return {
      ...linearParams(own, extent, before),
      bends: own.tensor('bends', [numbers, 1]),
      out: masked(
        out,
        mask(numbers, hidden, (row, unit) => unit % size <= Math.floor(row / per)),
      ),
      units: out && own.after('units', [hidden, 1], 0),
      seen: out && count > 0 ? own.after('seen', [hidden, count], spread) : null,
      own: masked(
        into,
        mask(hidden, size, (unit, i) => i < unit % size),
      ),
    };
  },

  conditional: (params, extent, before) => new FlowConditional(params, extent, before),
});
