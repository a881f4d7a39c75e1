/** A remembered value, boxed so that a remembered `undefined` differs from nothing remembered. */
interface Remembered {
  readonly value: unknown;
}

/** A function that remembers what it returned. */
export interface Memoised {
  /** What arguments are remembered by. */
  keyOf(args: readonly unknown[]): unknown;
  find(key: unknown): Remembered | undefined;
  remember(key: unknown, value: unknown): void;
  /** All that was remembered, by key. */
  all(): Map<unknown, unknown>;
  /** Calls the function, in the place that belongs to the key. */
  work(args: readonly unknown[], key: unknown): unknown;
}

/** How executions that run as one remember, each for itself. */
export interface SharedMemory {
  /** Whether arguments are not the same for all. */
  differ(args: readonly unknown[]): boolean;
  /** Calls `ask` with each of these, for the executions that get its answer. */
  ofEach(memo: Memoised, args: readonly unknown[], ask: (own: readonly unknown[]) => unknown): unknown;
  /** The value under a key, for executions that have it; the others compute it. */
  recalled(found: unknown, work: () => unknown): unknown;
  /** The value to keep under the key once the others have computed theirs; `found` is the value before. */
  kept(value: unknown, found: unknown): unknown;
}

/** The result of a function that remembers: the kept one for these arguments, or that of a call. */
export function recall(memo: Memoised, args: readonly unknown[], memory: SharedMemory | null): unknown {
  if (memory?.differ(args)) return memory.ofEach(memo, args, (own) => recall(memo, own, memory));
  const key = memo.keyOf(args);
  const found = memo.find(key);
  if (found !== undefined && memory === null) return found.value;
  const work = (): unknown => {
    const value = memo.work(args, key);
    memo.remember(key, memory === null ? value : memory.kept(value, found?.value));
    return value;
  };
  return found === undefined ? work() : memory!.recalled(found.value, work);
}

/**
 * Values remembered by `mem` within one execution. An execution sees what was remembered before it started, and what it remembers
 * itself vanishes with it: so there are layers, of which the innermost is writable.
 */
export class MemoLayer {
  /** Made when first needed: most executions remember nothing. */
  private tables: Map<object, Map<unknown, Remembered>> | null;

  constructor(private readonly outer: MemoLayer | null) {
    this.tables = null;
  }

  /** How often anything was remembered, or asked for, anywhere. */
  static writes = 0;
  static reads = 0;

  /** The innermost layer in which something was remembered; the outermost if that is nowhere. */
  withoutEmpty(): MemoLayer {
    let layer: MemoLayer = this;
    while (layer.tables === null && layer.outer !== null) layer = layer.outer;
    return layer;
  }

  /** An empty layer over another one: this very object, if it is one. */
  emptyOver(outer: MemoLayer): MemoLayer {
    return this.tables === null && this.outer === outer ? this : new MemoLayer(outer);
  }

  /** What was remembered last under the key, here or in an outer layer. */
  find(owner: object, key: unknown): Remembered | undefined {
    MemoLayer.reads++;
    for (let layer: MemoLayer | null = this; layer !== null; layer = layer.outer) {
      if (layer.tables === null) continue;
      const found = layer.tables.get(owner)?.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All that was remembered for an owner, by key. */
  all(owner: object): Map<unknown, unknown> {
    const all = this.outer === null ? new Map<unknown, unknown>() : this.outer.all(owner);
    for (const [key, { value }] of this.tables?.get(owner) ?? []) all.set(key, value);
    return all;
  }

  remember(owner: object, key: unknown, value: unknown): void {
    MemoLayer.writes++;
    if (this.tables === null) this.tables = new Map();
    let table = this.tables.get(owner);
    if (table === undefined) {
      table = new Map();
      this.tables.set(owner, table);
    }
    table.set(key, { value });
  }
}
