/**
 * The logarithm of the mean weight of samples, what each sample contributes to it, and what it would be without that sample.
 */
import { expandTo } from '../../tensor/elementwise/record.ts';
import { asLanes, fromLanes } from '../../tensor/lane-gather.ts';
import type { LaneSpace } from '../../tensor/lane-space.ts';
import { constant, toNode } from '../../tensor/leaves.ts';
import type { Node, Value } from '../../tensor/node.ts';
import {
  concat,
  div,
  gather,
  gt,
  logsumexp,
  mul,
  reshape,
  select,
  sliceAxis,
  softmax,
  stopGradient,
  sub,
  sum,
} from '../../tensor/ops.ts';
import { SCALAR } from '../../tensor/shape.ts';
import type { PassEvent, Strand } from '../record.ts';

export interface Bound {
  /** Minus the logarithm of the mean weight: per lane of the lanes around, if there are any. */
  readonly cost: Value;
  /** The weight of each sample as a share of all, without a gradient: for each item, per lane of its lanes. */
  shares(): readonly Value[];
  /**
   * What each sample did for the bound, without a gradient: the bound less what it would be if the sample weighed what the
   * others weigh in the geometric mean (VIMCO; Mnih & Rezende 2016).
   */
  gains(): readonly Value[];
}

/** Of the samples of a pass, given what each of its items costs; found once. */
export function boundAt({ items, sampled }: PassEvent, costOf: (item: Strand) => Value): Bound {
  const samples = sampled!;
  samples.bound ??= boundOf(items, items.map(costOf), samples.count);
  return samples.bound;
}

/** Of samples that cost so much (−log of their weight), `count` for each lane around them. */
function boundOf(items: readonly Strand[], costs: readonly Value[], count: number): Bound {
  const layout = new Layout(items, count);
  const logs = layout.together(costs.map((cost) => mul(-1, cost)));
  const bound = sub(logsumexp(logs), Math.log(count)) as Value;
  return {
    cost: mul(-1, bound),
    shares: () => layout.apart(stopGradient(softmax(logs)) as Node),
    gains: () => layout.apart(stopGradient(sub(bound, boundsWithout(logs, count))) as Node),
  };
}

/** For each sample the bound in which it weighs what the others do in the geometric mean. */
function boundsWithout(logs: Node, count: number): Value {
  const isOwn = constant(
    Float32Array.from({ length: count * count }, (_, i) => (i % (count + 1) === 0 ? 1 : 0)),
    [count, count],
    null,
    'bool',
  );
  const row = reshape(logs, [1, count]);
  // (Not the sum of all less the own, which may be minus infinity.)
  const others = div(sum(select(isOwn, 0, row) as Node, 1, true), count - 1);
  const table = select(isOwn, others, row) as Node;
  const bounds = sub(logsumexp(table, 1), Math.log(count));
  // Where all others are impossible there is nothing to compare with.
  return select(gt(bounds, -Number.MAX_VALUE), bounds, 0);
}

/** Where samples are: one after the other in a row for each lane around them, or in groups of lanes. */
class Layout {
  private readonly around: LaneSpace | null;
  /** For each item, where its samples are in the rows laid one after the other. */
  private readonly places: readonly Int32Array[];
  /** Whether all samples are in one group, in that order. */
  private readonly inOrder: boolean;

  constructor(
    private readonly items: readonly Strand[],
    private readonly count: number,
  ) {
    this.around = items[0].lanes?.outer?.space ?? null;
    const seen = new Int32Array(this.around?.size ?? 1);
    this.places = items.map(({ lanes }) => {
      const map = lanes?.around ?? null;
      return Int32Array.from({ length: lanes?.size ?? 1 }, (_, lane) => {
        const row = map === null ? 0 : map[lane];
        return row * count + seen[row]++;
      });
    });
    this.inOrder = items.length === 1 && this.places[0].every((place, lane) => place === lane);
  }

  /** A number of each sample as a vector of those that belong together. */
  together(values: readonly Value[]): Node {
    const { items, places, around, count } = this;
    const rows = items.map(({ lanes }, i) => {
      if (lanes === undefined) return reshape(toNode(values[i]), [1]) as Node;
      return fromLanes(expandTo(toNode(values[i]), SCALAR, lanes.space));
    });
    const table = rows.length === 1 ? rows[0] : (concat(rows) as Node);
    if (this.inOrder) return around === null ? table : asLanes(reshape(table, [around.size, count]) as Node, around);
    const rowAt = new Int32Array(table.shape[0]);
    let row = 0;
    for (const place of places.flatMap((own) => [...own])) rowAt[place] = row++;
    const at = around === null ? constant(rowAt, [count]) : constant(rowAt, [count], around);
    return gather(table, at) as Node;
  }

  /** The other way round. */
  apart(vectors: Node): Value[] {
    const { items, places, around } = this;
    const table = around === null ? vectors : (reshape(fromLanes(vectors), [around.size * this.count]) as Node);
    return items.map(({ lanes }, i) => {
      const [first] = places[i];
      if (lanes === undefined) return reshape(sliceAxis(table, 0, first, first + 1), SCALAR) as Value;
      if (this.inOrder) return asLanes(table, lanes.space);
      return gather(table, constant(places[i], SCALAR, lanes.space)) as Value;
    });
  }
}
