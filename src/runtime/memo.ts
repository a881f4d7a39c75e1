/** A remembered value, boxed so that a remembered `undefined` differs from nothing remembered. */
export interface Remembered {
  readonly value: unknown;
}

/** A function that remembers what it returned. */
export interface Memoised {
  /** What arguments are remembered by. */
  keyOf(args: readonly unknown[]): unknown;
  find(key: unknown): Remembered | undefined;
  remember(key: unknown, value: unknown): void;
  /** Calls the function, in the place that belongs to the key. */
  work(args: readonly unknown[], key: unknown): unknown;
}

/**
 * Values remembered by `mem` within one execution. An execution sees what was remembered before it started, and
 * what it remembers itself vanishes with it: a chain of layers, the innermost writable.
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
