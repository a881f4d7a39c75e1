/** Monotone splines of rational quadratics (Durkan, Bekasov, Murray & Papamakarios 2019), one for each element of a vector. */
import type { Node, Value } from '../../tensor/node.ts';

/** The image of a vector under a layer, and the logarithm of how much the layer stretches space there. */
export interface Moved {
  readonly value: Value;
  readonly logStretch: Value;
}

/** The operations it is computed with. */
type Engine = typeof import('../../tensor/ops.ts');

/** The least width of bins, as a share of the range, and the least slope. */
const LEAST = 1e-3;
/** With this added, a free number of 0 is a slope of 1. */
const UNIT = Math.log(Math.expm1(1 - LEAST));

/** How many free numbers a spline of some bins has. */
export const splineNumbers = (bins: number): number => 3 * bins - 1;

/** Knots and slopes of the splines, [n, bins] each: the left end of bins, their sizes, and slopes at both ends. */
interface Knots {
  readonly x: Value;
  readonly width: Value;
  readonly y: Value;
  readonly height: Value;
  readonly left: Value;
  readonly right: Value;
}

function knotsOf(engine: Engine, free: Value, bins: number, range: number): Knots {
  const { add, concat, cumsum, mul, sliceAxis, softmax, softplus, sub } = engine;
  const part = (from: number, to: number): Node => sliceAxis(free as Node, 1, from, to) as Node;
  const sizes = (of: Node): Value => mul(2 * range, add(LEAST, mul(1 - LEAST * bins, softmax(of, 1))));
  const starts = (of: Value): Value => sub(sub(cumsum(of as Node, 1), of), range);
  const width = sizes(part(0, bins));
  const height = sizes(part(bins, 2 * bins));
  const inner = add(LEAST, softplus(add(part(2 * bins, 3 * bins - 1), UNIT))) as Node;
  const edge = add(1, mul(0, sliceAxis(free as Node, 1, 0, 1))) as Node;
  const left = concat([edge, inner], 1) as Value;
  const right = concat([inner, edge], 1) as Value;
  return { x: starts(width), width, y: starts(height), height, left, right };
}

/** A function that picks, for each element, the entry of the bin that it is in: [n, 1]. `starts` are the left ends of bins. */
function chooser(engine: Engine, at: Value, starts: Value, bins: number): (of: Value) => Value {
  const { concat, ge, mul, select, sliceAxis, sub, sum } = engine;
  const from = select(ge(at, starts), 1, 0) as Node;
  // Where the next bin begins; whatever lies before the first bin counts as part of it.
  const later = sliceAxis(from, 1, 1, bins) as Node;
  const ones = sub(1, mul(0, sliceAxis(from, 1, 0, 1))) as Node;
  const isIn = sub(concat([ones, later], 1), concat([later, sub(ones, 1) as Node], 1));
  return (of) => sum(mul(isIn, of) as Node, 1, true) as Value;
}

/** Elements outside the range stay where they are. */
function inRange(engine: Engine, at: Value, range: number, value: Value, logStretch: Value): Moved {
  const { abs, lt, select, sum } = engine;
  const inside = lt(abs(at), range);
  return { value: select(inside, value, at), logStretch: sum(select(inside, logStretch, 0) as Node) as Value };
}

const clamped = (engine: Engine, at: Value, range: number): Value => {
  const { max, min } = engine;
  return max(min(at, range), -range);
};

/** The logarithm of the slope at a share of the bin. */
function logSlope(engine: Engine, share: Value, slope: Value, left: Value, right: Value, below: Value): Value {
  const { add, log, mul, square, sub } = engine;
  const rest = sub(1, share);
  const above = add(mul(right, square(share)), add(mul(2, mul(slope, mul(share, rest))), mul(left, square(rest))));
  return sub(add(mul(2, log(slope)), log(above)), mul(2, log(below)));
}

/** Of numbers [n, 1], by free numbers [n, 3 bins − 1]. */
export function splineForward(engine: Engine, at: Value, free: Value, bins: number, range: number): Moved {
  const { add, div, mul, square, sub } = engine;
  const knots = knotsOf(engine, free, bins, range);
  const x = clamped(engine, at, range);
  const here = chooser(engine, x, knots.x, bins);
  const [width, height, left, right] = [knots.width, knots.height, knots.left, knots.right].map(here);
  const slope = div(height, width);
  const share = div(sub(x, here(knots.x)), width);
  const both = mul(share, sub(1, share));
  const below = add(slope, mul(sub(add(left, right), mul(2, slope)), both));
  const y = add(here(knots.y), div(mul(height, add(mul(slope, square(share)), mul(left, both))), below));
  return inRange(engine, at, range, y, logSlope(engine, share, slope, left, right, below));
}

/** The way back. */
export function splineInverse(engine: Engine, at: Value, free: Value, bins: number, range: number): Moved {
  const { add, div, max, mul, neg, sqrt, square, sub } = engine;
  const knots = knotsOf(engine, free, bins, range);
  const y = clamped(engine, at, range);
  const here = chooser(engine, y, knots.y, bins);
  const [width, height, left, right] = [knots.width, knots.height, knots.left, knots.right].map(here);
  const slope = div(height, width);
  const up = sub(y, here(knots.y));
  const curve = sub(add(left, right), mul(2, slope));
  const a = add(mul(height, sub(slope, left)), mul(up, curve));
  const b = sub(mul(height, left), mul(up, curve));
  const c = neg(mul(slope, up));
  const root = sqrt(max(sub(square(b), mul(4, mul(a, c))), 0));
  const share = div(mul(2, c), neg(add(b, root)));
  const both = mul(share, sub(1, share));
  const below = add(slope, mul(curve, both));
  return inRange(
    engine,
    at,
    range,
    add(here(knots.x), mul(share, width)),
    logSlope(engine, share, slope, left, right, below),
  );
}
