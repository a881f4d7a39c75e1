/** Sequences of different length that lanes have, each its own. */
import { currentLanes, laneNumbers } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { derived } from '../lanes/value.ts';
import { type Varied, variedOf } from '../lanes/varied.ts';
import { machine } from '../runtime/machine.ts';
import { Node } from '../tensor/node.ts';
import { gt } from '../tensor/ops.ts';
import { get } from './picking.ts';

type Items = ArrayLike<unknown>;

/** Undefined of data that are the same for all lanes, or equally long now and later. */
export function sequencesIn(data: unknown): Sequences | undefined {
  const varied = variedOf(data);
  if (varied === undefined) return undefined;
  const all = recording.current === null ? undefined : (varied.again?.all?.() as readonly Items[] | undefined);
  const lengthOf = (items: unknown): number => (items as Items).length;
  const isRagged = all?.some((items) => items.length !== all[0].length) === true;
  const length = isRagged ? derived(varied, lengthOf) : get(data, 'length');
  if (!(length instanceof Node)) return undefined;
  const lengths = isRagged ? all!.map(lengthOf) : Array.from(laneNumbers(length, currentLanes()!));
  return new Sequences(data, varied, length, isRagged ? all! : null, lengths);
}

export class Sequences {
  /** The lengths of the sequences, from the shortest on, each once. */
  readonly lengths: readonly number[];

  constructor(
    private readonly data: unknown,
    private readonly varied: Varied,
    private readonly length: Node,
    /** All sequences there are, where later steps have others. */
    private readonly all: readonly Items[] | null,
    lengths: readonly number[],
  ) {
    this.lengths = [...new Set(lengths)].sort((a, b) => a - b);
  }

  /** Runs `yes` for the lanes in force whose sequences have more items than so many, and `no` for the others. */
  whereLonger(count: number, yes: () => unknown, no: () => unknown): unknown {
    const { handler } = machine;
    const lanes = currentLanes()!;
    const sides = { yes, no, both: this.all !== null };
    const recorded = lanes.branches ? handler.fork?.(gt(this.length, count), sides, true) : undefined;
    if (recorded !== undefined) return recorded.value;
    // Later steps have sequences that end elsewhere, even if those of this one do not.
    if (this.all !== null) lanes.branched = true;
    const taken = Uint8Array.from(laneNumbers(this.length, lanes), (own) => (own > count ? 1 : 0));
    if (!taken.includes(0)) return sides.yes();
    if (!taken.includes(1)) return sides.no();
    return handler.branch!(taken, sides.yes, sides.no, true);
  }

  /** The i-th item of each. Lanes whose sequence has ended are not in force; where others may be later, they have an item of another one. */
  item(i: number): unknown {
    const { all, data, varied } = this;
    if (all === null) return get(data, i);
    const other = all.find((items) => items.length > i)!;
    return derived(varied, (items) => ((items as Items).length > i ? (items as Items)[i] : other[i]));
  }
}
