/**
 * Values remembered by `mem` within one execution. An execution sees what was remembered before it started, and
 * what it remembers itself vanishes with it: a chain of layers, the innermost writable.
 */
export class MemoLayer {
  private readonly tables = new Map<object, Map<unknown, unknown>>();

  constructor(private readonly outer: MemoLayer | null) {}

  /** The remembered value, or undefined with `has` false. */
  find(owner: object, key: unknown): { value: unknown } | undefined {
    for (let layer: MemoLayer | null = this; layer !== null; layer = layer.outer) {
      const table = layer.tables.get(owner);
      if (table?.has(key)) return { value: table.get(key) };
    }
    return undefined;
  }

  remember(owner: object, key: unknown, value: unknown): void {
    let table = this.tables.get(owner);
    if (table === undefined) {
      table = new Map();
      this.tables.set(owner, table);
    }
    table.set(key, value);
  }
}
