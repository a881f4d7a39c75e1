/**
 * The choices of executions side by side, by address. Most programs make the same choices in the same order, so that the
 * k-th choice of each execution is in the k-th column; only where that is not so do traces note which execution made which
 * choice.
 */
import type { Address } from '../../runtime/address.ts';
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
    /** For each execution, the number of the one whose stream it has for what is no choice. */
    readonly origins: Int32Array,
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
        made: choice.made && copiedFrom(choice.made, parents),
        order: typeof choice.order === 'number' ? choice.order : copiedFrom(choice.order, parents),
        values: choice.values.gathered(parents),
        scores: choice.scores.gathered(parents),
        distributions: choice.distributions.with(choice.distributions.parts.map((part) => part.gathered(parents))),
      })),
      copiedFrom(this.lengths, parents),
      copiedFrom(this.origins, parents),
    );
  }

  /** These with what was chosen after them by the executions that `taken` marks; `who` has the numbers of those that ran. */
  extended(chosen: readonly ChoiceMade[], who: Int32Array, taken: Uint8Array): ColumnTraces {
    const moves = new Moves(who, taken);
    return this.inOrder(chosen, moves, this.lengths.slice()) ?? this.rewritten(chosen, moves, false);
  }

  /** These with other choices in the executions that `taken` marks. */
  replaced(chosen: readonly ChoiceMade[], who: Int32Array, taken: Uint8Array): ColumnTraces {
    const moves = new Moves(who, taken);
    return this.inOrder(chosen, moves, moves.cleared(this.lengths)) ?? this.rewritten(chosen, moves, true);
  }

  /**
   * Where each execution goes on with the column after its last: no search for who made which choice is needed. Null if not.
   */
  private inOrder(chosen: readonly ChoiceMade[], moves: Moves, lengths: Int32Array): ColumnTraces | null {
    if (!this.isUniform) return null;
    const columns = [...this.choices];
    const places = new Map(columns.map(({ address }, k) => [address, k]));
    for (const choice of chosen) {
      const { to } = moves.of(choice.slots);
      if (to.length === 0) continue;
      const k = places.get(choice.address) ?? columns.length;
      for (let i = 0; i < to.length; i++) if (lengths[to[i]]++ !== k) return null;
      places.set(choice.address, k);
      columns[k] = written(columns[k], choice, moves, null, k);
    }
    return new ColumnTraces(columns, lengths, this.origins);
  }

  /** The general case: which execution made which choice, and when. */
  private rewritten(chosen: readonly ChoiceMade[], moves: Moves, anew: boolean): ColumnTraces {
    const lengths = anew ? moves.cleared(this.lengths) : this.lengths.slice();
    const columns = new Map<Address, ChoiceColumn>();
    for (const choice of this.choices) {
      const made = this.makersOf(choice);
      const { order } = choice;
      columns.set(choice.address, {
        ...choice,
        made: anew ? moves.cleared(made) : made,
        order: typeof order === 'number' ? new Int32Array(lengths.length).fill(order) : order,
      });
    }
    for (const choice of chosen) {
      const { to } = moves.of(choice.slots);
      if (to.length === 0) continue;
      const before = columns.get(choice.address);
      const made = before?.made?.slice() ?? new Uint8Array(lengths.length);
      const order = (before?.order as Int32Array | undefined)?.slice() ?? new Int32Array(lengths.length);
      for (let i = 0; i < to.length; i++) {
        made[to[i]] = 1;
        order[to[i]] = lengths[to[i]]++;
      }
      columns.set(choice.address, written(before, choice, moves, made, order));
    }
    return new ColumnTraces(
      [...columns.values()].filter(({ made }) => made!.includes(1)),
      lengths,
      this.origins,
    );
  }

  private makersOf({ made, order }: ChoiceColumn): Uint8Array {
    if (made !== null) return made;
    const makers = new Uint8Array(this.size);
    for (let i = 0; i < makers.length; i++) if (this.lengths[i] > (order as number)) makers[i] = 1;
    return makers;
  }
}

/** The items at these places. */
function copiedFrom<A extends Uint8Array | Int32Array>(items: A, places: Int32Array): A {
  const copied = items.slice() as A;
  for (let i = 0; i < places.length; i++) copied[i] = items[places[i]];
  return copied;
}

/** Where items of the executions that ran go: to the numbers of those that are taken. */
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

  /** The same with nothing for those that are taken. */
  cleared<A extends Uint8Array | Int32Array>(items: A): A {
    const copy = items.slice() as A;
    const { to } = this.whole;
    for (let i = 0; i < to.length; i++) copy[to[i]] = 0;
    return copy;
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
  if (!old.isKeptLike(made)) return distributionsInto(old.listed, made.listed, into);
  return made.with(
    made.parts.map((part, k) => into(old.parts[k], part)),
    old,
  );
}
