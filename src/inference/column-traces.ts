/**
 * The choices of executions side by side, by address. Most programs make the same choices in the same order, so that the
 * k-th choice of each execution is in the k-th column; only where that is not so is it kept who made which.
 */
import type { Address } from '../runtime/address.ts';
import type { ChoiceItems, ChoiceMade, Distributions, Items } from './column-choices.ts';

/** A choice of executions, by their numbers. */
export interface ChoiceColumn extends ChoiceItems {
  /** Which executions made it; null for those that made at least so many choices. */
  readonly made: Uint8Array | null;
  /** Its place among the choices of each execution, or of all. */
  readonly order: Int32Array | number;
}

export class ColumnTraces {
  private readonly byAddress: Map<Address, ChoiceColumn>;
  private table: Int32Array | null = null;
  /** Whether all choices are in the order of their columns. */
  private readonly isUniform: boolean;

  constructor(
    readonly choices: readonly ChoiceColumn[],
    /** How many choices each execution made. */
    readonly lengths: Int32Array,
  ) {
    this.byAddress = new Map(choices.map((choice) => [choice.address, choice]));
    this.isUniform = choices.every(({ made }) => made === null);
  }

  get size(): number {
    return this.lengths.length;
  }

  at(address: Address): ChoiceColumn | undefined {
    return this.byAddress.get(address);
  }

  isMade({ made, order }: ChoiceColumn, i: number): boolean {
    return made === null ? this.lengths[i] > (order as number) : made[i] === 1;
  }

  /** The k-th choice of an execution. */
  choiceAt(i: number, k: number): ChoiceColumn {
    const { choices } = this;
    if (this.isUniform) return choices[k];
    this.table ??= this.tabulated();
    return choices[this.table[i * choices.length + k]];
  }

  private tabulated(): Int32Array {
    const { choices, size } = this;
    const table = new Int32Array(size * choices.length);
    choices.forEach((choice, c) => {
      const { order } = choice;
      for (let i = 0; i < size; i++) {
        if (!this.isMade(choice, i)) continue;
        table[i * choices.length + (typeof order === 'number' ? order : order[i])] = c;
      }
    });
    return table;
  }

  /** Each execution becomes a copy of one of them. */
  gathered(parents: Int32Array): ColumnTraces {
    return new ColumnTraces(
      this.choices.map((choice) => ({
        ...choice,
        made: choice.made && choice.made.map((_, i) => choice.made![parents[i]]),
        order: typeof choice.order === 'number' ? choice.order : choice.order.map((_, i, all) => all[parents[i]]),
        values: choice.values.gathered(parents),
        scores: choice.scores.gathered(parents),
        distributions: choice.distributions.with(choice.distributions.parts.map((part) => part.gathered(parents))),
      })),
      this.lengths.map((_, i, all) => all[parents[i]]),
    );
  }

  /** These with what was chosen after them by the executions that `taken` marks; `who` has the numbers of those that ran. */
  extended(chosen: readonly ChoiceMade[], who: Int32Array, taken: Uint8Array, inOrder: boolean): ColumnTraces {
    const { choices, lengths } = this;
    const together = inOrder && this.isUniform && all(taken, (i) => lengths[i] === choices.length);
    if (!together) return this.rewritten(chosen, who, taken, false);
    const moves = new Moves(who, taken);
    const added = chosen.map((choice, k) => written(undefined, choice, moves, null, choices.length + k));
    return new ColumnTraces([...choices, ...added], this.lengthsWith(taken, choices.length + chosen.length));
  }

  /** These with other choices in the executions that `taken` marks. */
  replaced(chosen: readonly ChoiceMade[], who: Int32Array, taken: Uint8Array, inOrder: boolean): ColumnTraces {
    const { choices } = this;
    const same = chosen.length <= choices.length && chosen.every(({ address }, k) => choices[k].address === address);
    if (!inOrder || !same || !this.isUniform) return this.rewritten(chosen, who, taken, true);
    const moves = new Moves(who, taken);
    const others = choices.map((choice, k) =>
      k < chosen.length ? written(choice, chosen[k], moves, null, k) : choice,
    );
    return new ColumnTraces(others, this.lengthsWith(taken, chosen.length));
  }

  private lengthsWith(taken: Uint8Array, length: number): Int32Array {
    return this.lengths.map((before, i) => (taken[i] === 1 ? length : before));
  }

  /** The general way, in which it is kept who made which choice, and when. */
  private rewritten(chosen: readonly ChoiceMade[], who: Int32Array, taken: Uint8Array, anew: boolean): ColumnTraces {
    const { size } = this;
    const lengths = this.lengths.slice();
    if (anew) for (let i = 0; i < size; i++) if (taken[i] === 1) lengths[i] = 0;
    const columns = new Map<Address, ChoiceColumn>();
    for (const choice of this.choices) {
      const made = Uint8Array.from({ length: size }, (_, i) =>
        this.isMade(choice, i) && !(anew && taken[i] === 1) ? 1 : 0,
      );
      const { order } = choice;
      columns.set(choice.address, {
        ...choice,
        made,
        order: typeof order === 'number' ? new Int32Array(size).fill(order) : order.slice(),
      });
    }
    const moves = new Moves(who, taken);
    for (const choice of chosen) {
      const before = columns.get(choice.address);
      const made = before?.made ?? new Uint8Array(size);
      const order = (before?.order as Int32Array | undefined) ?? new Int32Array(size);
      for (const slot of choice.slots) {
        const i = who[slot];
        if (taken[i] === 0) continue;
        made[i] = 1;
        order[i] = lengths[i]++;
      }
      columns.set(choice.address, written(before, choice, moves, made, order));
    }
    return new ColumnTraces(
      [...columns.values()].filter(({ made }) => made!.includes(1)),
      lengths,
    );
  }
}

function all(marks: Uint8Array, holds: (i: number) => boolean): boolean {
  for (let i = 0; i < marks.length; i++) if (marks[i] === 1 && !holds(i)) return false;
  return true;
}

/** Where items of those who ran go: to the numbers of those that are taken. */
class Moves {
  readonly size: number;
  private readonly whole: { readonly from: Int32Array; readonly to: Int32Array };

  constructor(
    private readonly who: Int32Array,
    private readonly taken: Uint8Array,
  ) {
    this.size = taken.length;
    this.whole = this.among(who.length, (lane) => lane);
  }

  /** For a choice that the executions at these places made. */
  of(slots: Int32Array): { readonly from: Int32Array; readonly to: Int32Array } {
    return slots.length === this.who.length ? this.whole : this.among(slots.length, (lane) => slots[lane]);
  }

  private among(length: number, slotOf: (lane: number) => number): { from: Int32Array; to: Int32Array } {
    const { who, taken } = this;
    const from = new Int32Array(length);
    const to = new Int32Array(length);
    let count = 0;
    for (let lane = 0; lane < length; lane++) {
      const number = who[slotOf(lane)];
      if (taken[number] === 0) continue;
      from[count] = lane;
      to[count++] = number;
    }
    return { from: from.subarray(0, count), to: to.subarray(0, count) };
  }
}

/** A column with the items of a choice just made, for the executions that are taken. */
function written(
  before: ChoiceColumn | undefined,
  choice: ChoiceMade,
  moves: Moves,
  made: Uint8Array | null,
  order: Int32Array | number,
): ChoiceColumn {
  const { from, to } = moves.of(choice.slots);
  const into = (old: Items | undefined, items: Items): Items => {
    const target = old === undefined ? items.room(moves.size) : old.copyFor(items);
    target.fill(to, from, items);
    return target;
  };
  return {
    address: choice.address,
    made,
    order,
    values: into(before?.values, choice.values),
    scores: into(before?.scores, choice.scores),
    distributions: distributionsInto(before?.distributions, choice.distributions, into),
    options: choice.options,
  };
}

function distributionsInto(
  old: Distributions | undefined,
  made: Distributions,
  into: (old: Items | undefined, items: Items) => Items,
): Distributions {
  if (old === undefined) return made.with(made.parts.map((part) => into(undefined, part)));
  if (!old.isLike(made)) return distributionsInto(old.listed, made.listed, into);
  return made.with(made.parts.map((part, k) => into(old.parts[k], part)));
}
