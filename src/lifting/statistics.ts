/** Statistics of lists and distributions on nodes; each the plain one where no node is met. */
import { agreedValue } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { toNode } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { plain as looked } from './looking.ts';
import { lostGradient } from './lost-gradients.ts';
import { elements, entry, meetsNode, vectorOf } from './tensor-nodes.ts';
import {
  averageOf,
  liftedValues,
  numberOf,
  numbersOf,
  quantileOf,
  varianceOf,
  type WeighedNumbers,
} from './weighed-values.ts';

type Plain = (...args: unknown[]) => unknown;
type Closed = Partial<Record<'mean' | 'variance' | 'quantile', (p?: unknown) => unknown>>;

/** The numbers of a list in which there are nodes, each of the same weight. */
function listed(caller: string, given: unknown): WeighedNumbers | undefined {
  const vector = given instanceof Node && given.shape.length > 0 ? given : vectorOf(given);
  if (vector !== undefined) {
    return evenly(Array.from({ length: elements(vector) }, (_, i) => entry(vector, i) as Value));
  }
  const list = agreedValue(given);
  if (!Array.isArray(list) || list.length === 0 || !meetsNode([given])) return undefined;
  return evenly(Array.from(list, (item) => numberOf(caller, item)));
}

const evenly = (values: readonly Value[]): WeighedNumbers => ({ values, weights: values.map(() => 1 / values.length) });

/** The values and weights of a list or of a distribution, if there are nodes among them. */
function numbers(caller: string, given: unknown): WeighedNumbers | undefined {
  if (!isDistribution(given)) return listed(caller, given);
  const weighed = liftedValues(given);
  return weighed && numbersOf(caller, weighed);
}

/** A distribution's own closed form, if it depends on nodes. */
function closed(given: unknown, moment: keyof Closed): Node | undefined {
  if (!isDistribution(given)) return undefined;
  const value = (given as Closed)[moment]?.();
  return value instanceof Node ? value : undefined;
}

export function mean(given: unknown): unknown {
  const known = closed(given, 'mean') ?? numbers('mean', given);
  if (known === undefined) return (plain.mean as Plain)(given);
  return known instanceof Node ? known : averageOf(known);
}

export function variance(given: unknown): unknown {
  const known = closed(given, 'variance') ?? numbers('variance', given);
  if (known === undefined) return (plain.variance as Plain)(given);
  return known instanceof Node ? known : varianceOf(known);
}

export function stdev(given: unknown): unknown {
  const known = variance(given);
  return known instanceof Node ? ops.sqrt(known) : Math.sqrt(known as number);
}

/** Quantiles of a list or a distribution that depend on nodes, or for a probability that is one. */
function quantiles(caller: string, given: unknown): ((p: unknown) => unknown) | undefined {
  if (isDistribution(given)) {
    const own = (given as Closed).quantile;
    if (own !== undefined) return (p) => own.call(given, p);
    const weighed = numbers(caller, given);
    return weighed && ((p) => quantileOf(weighed, looked(p) as number));
  }
  const list = listed(caller, given);
  if (list !== undefined) return interpolated(list.values);
  const items = agreedValue(given);
  return Array.isArray(items) ? interpolated(items.map((item) => numberOf(caller, item))) : undefined;
}

/** Numbers in ascending order: of each lane for itself, in lanes. */
function ascending(values: readonly Value[]): readonly Value[] {
  if (values.length === 1) return values;
  const sorted = ops.sort(ops.stack(values.map(toNode)) as Node);
  return values.map((_, i) => entry(sorted, i) as Value);
}

/** Between neighbours: R's type 7, as for plain numbers. */
function interpolated(values: readonly Value[]): (p: unknown) => unknown {
  const sorted = ascending(values);
  return (p) => {
    const now = looked(p) as number;
    if (!(now >= 0 && now <= 1)) return (plain.quantile as Plain)([0], now);
    const at = ops.mul(p as Value, values.length - 1);
    const below = Math.floor(now * (values.length - 1));
    const [from, to] = [sorted[below], sorted[Math.min(below + 1, values.length - 1)]];
    return ops.add(from, ops.mul(ops.sub(at, below), ops.sub(to, from)));
  };
}

export function quantile(given: unknown, p: unknown): unknown {
  const isLifted = meetsNode([given, p]) || isDistribution(given);
  const at = isLifted ? quantiles('quantile', given) : undefined;
  if (at === undefined) return (plain.quantile as Plain)(settled(given), settled(p));
  const ps = agreedValue(p);
  return Array.isArray(ps) ? ps.map(at) : at(ps);
}

export function median(given: unknown): unknown {
  return isDistribution(given) || meetsNode([given]) ? quantile(given, 0.5) : (plain.median as Plain)(given);
}

export function correlation(first: unknown, second: unknown, third?: unknown): unknown {
  const [x, y] = isDistribution(first) ? coordinates(first, second, third) : [listOf(first), listOf(second)];
  if (x === undefined || y === undefined || !meetsNode([x.values, y.values, x.weights])) {
    return (plain.correlation as Plain)(first, second, third);
  }
  if (x.values.length !== y.values.length) return (plain.correlation as Plain)(settled(first), settled(second));
  const centred = ({ values, weights }: WeighedNumbers): Value[] => {
    const average = averageOf({ values, weights });
    return values.map((value) => ops.sub(value, average));
  };
  const [dx, dy] = [centred(x), centred(y)];
  const sum = (a: readonly Value[], b: readonly Value[]): Value =>
    averageOf({ values: a.map((value, i) => ops.mul(value, b[i])), weights: x.weights });
  const spread = ops.mul(sum(dx, dx), sum(dy, dy));
  if (looked(spread) === 0) throw new WaymarkError('correlation is not defined where one of the two is constant.');
  return ops.div(sum(dx, dy), ops.sqrt(spread));
}

function listOf(given: unknown): WeighedNumbers | undefined {
  const list = given instanceof Tensor ? Array.from(given.data) : agreedValue(given);
  return listed('correlation', given) ?? (Array.isArray(list) ? evenly(list) : undefined);
}

/** Two functions, or fields, of a distribution's values. */
function coordinates(dist: unknown, x: unknown, y: unknown): (WeighedNumbers | undefined)[] {
  const weighed = liftedValues(dist);
  const of = (pick: unknown) => (value: unknown) =>
    typeof pick === 'function' ? pick(value) : (value as Record<string, unknown>)[pick as string];
  return [x, y].map(
    (pick) => weighed && numbersOf('correlation', { ...weighed, values: weighed.values.map(of(pick)) }),
  );
}

export function credibleInterval(given: unknown, mass: unknown = 0.95, kind: unknown = 'equal-tailed'): unknown {
  const isLifted = meetsNode([given, mass]) || (isDistribution(given) && closed(given, 'mean') !== undefined);
  const at = isLifted && kind === 'equal-tailed' ? quantiles('credibleInterval', given) : undefined;
  if (at === undefined) {
    if (isLifted) lostGradient('credibleInterval', [given, mass]);
    return (plain.credibleInterval as Plain)(settledNumbers(given), looked(mass), kind);
  }
  const tail = ops.mul(0.5, ops.sub(1, mass as Value));
  return { lower: at(tail), upper: at(ops.sub(1, tail)) };
}

export function summary(given: unknown): unknown {
  lostGradient('summary', isDistribution(given) ? (given as { params: object }).params : given);
  return (plain.summary as Plain)(settledNumbers(given));
}

/** A distribution with plain parameters, or a list of plain values. */
function settledNumbers(given: unknown): unknown {
  return isDistribution(given) ? ((given as { plain?(): unknown }).plain?.() ?? given) : settled(given);
}
