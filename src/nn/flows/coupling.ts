import { type Moved, splineForward, splineInverse, splineNumbers } from '../../guides/joint/rational-quadratic.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Node, Value } from '../../tensor/node.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { asTensor, engine, lengthOf } from '../engine.ts';
import { filled } from '../initial.ts';
import { checkName, checkOptions, type Declare } from '../layer-options.ts';
import { affine } from '../layers.ts';
import type { FlowLayer } from './flow-layer.ts';

/** Options of `coupling`. */
export interface CouplingOptions {
  /** The length of the vectors, 2 or more. */
  size: number;
  /** How the second half is moved: scaled and shifted, or along splines. */
  kind?: 'affine' | 'spline';
  /** Whether the first half is moved instead of the second: layers take turns. */
  flip?: boolean;
  /** The number of hidden units of the network. */
  hidden?: number;
  /** Bins of a spline. */
  bins?: number;
  /** Splines move what is between −range and range. */
  range?: number;
  /** A vector that the network sees besides, such as what another network makes of the data. */
  context?: Tensor;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
}

const SIZES = ['hidden', 'bins'];
/** The logarithm of a scale is no more than this. */
const MOST_LOG_SCALE = 2;

/**
 * A layer of a `Flow` that moves one half of a vector, each element by itself, as a network of the other half says
 * (Dinh, Sohl-Dickstein & Bengio 2017). At first it moves nothing.
 */
export function coupling(name: string, options: CouplingOptions): FlowLayer {
  checkName('coupling', name);
  const known = ['size', 'kind', 'flip', 'hidden', 'bins', 'range', 'context', 'param'];
  const given = SIZES.filter((size) => (options as never as Record<string, unknown>)?.[size] !== undefined);
  checkOptions('coupling', options, known, ['size', ...given]);
  const { size, kind = 'affine', flip = false, hidden = 32, bins = 8, range = 5, context, param } = options;
  if (size < 2)
    throw new WaymarkError(
      `coupling '${name}' needs vectors of at least 2 numbers, one to move and one to see; got ${size}.`,
    );
  if (kind !== 'affine' && kind !== 'spline')
    throw new WaymarkError(`coupling '${name}': kind must be 'affine' or 'spline', got ${describe(kind)}.`);
  const seen = context === undefined ? undefined : asTensor(`coupling '${name}'`, context);
  const first = Math.ceil(size / 2);
  const [kept, moved] = flip ? [size - first, first] : [first, size - first];
  const numbers = kind === 'affine' ? 2 : splineNumbers(bins);
  const into = affine(`${name}1`, { in: kept + (seen === undefined ? 0 : lengthOf(seen)), out: hidden, param });
  const out = affine(`${name}2`, { in: hidden, out: moved * numbers, param, init: filled(0) });

  /** The half that stays, and the one that is moved. */
  const parted = (x: Value): [Value, Value] => {
    const { sliceAxis } = engine();
    const halves = [sliceAxis(x as Node, 0, 0, first), sliceAxis(x as Node, 0, first, size)] as [Value, Value];
    return flip ? [halves[1], halves[0]] : halves;
  };
  /** What the network says, a row for each element that is moved. */
  const free = (stays: Value): Value => {
    const { concat, reshape } = engine();
    const input =
      seen === undefined
        ? stays
        : (concat([stays as Node, reshape(seen as Node, [lengthOf(seen), 1]) as Node]) as Value);
    return reshape(
      out(engine().tanh(into(input as Tensor) as unknown as Node) as unknown as Tensor) as unknown as Node,
      [moved, numbers],
    ) as Value;
  };
  const move = (x: Value, by: (half: Value, free: Value) => Moved): Moved => {
    const { concat } = engine();
    const [stays, goes] = parted(x);
    const { value, logStretch } = by(goes, free(stays));
    const halves = flip ? [value, stays] : [stays, value];
    return { value: concat(halves as Node[]) as Value, logStretch };
  };
  if (kind === 'spline') {
    return {
      size,
      forward: (x) => move(x, (half, own) => splineForward(engine(), half, own, bins, range)),
      inverse: (y) => move(y, (half, own) => splineInverse(engine(), half, own, bins, range)),
    };
  }
  return {
    size,
    forward: (x) =>
      move(x, (half, own) => {
        const { add, exp, mul } = engine();
        const { logScale, shift, logStretch } = scaling(own);
        return { value: add(mul(half, exp(logScale)), shift), logStretch };
      }),
    inverse: (y) =>
      move(y, (half, own) => {
        const { exp, mul, neg, sub } = engine();
        const { logScale, shift, logStretch } = scaling(own);
        return { value: mul(sub(half, shift), exp(neg(logScale))), logStretch };
      }),
  };
}

/** Scales and shifts from rows of two free numbers. */
export function scaling(free: Value): { logScale: Value; shift: Value; logStretch: Value } {
  const { mul, sliceAxis, sum, tanh: squash } = engine();
  const column = (i: number): Node => sliceAxis(free as Node, 1, i, i + 1) as Node;
  const logScale = mul(MOST_LOG_SCALE, squash(mul(1 / MOST_LOG_SCALE, column(0)) as Node)) as Value;
  return { logScale, shift: column(1) as Value, logStretch: sum(logScale as Node) as Value };
}
