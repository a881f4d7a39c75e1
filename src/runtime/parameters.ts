import type { Tensor } from '../tensor/tensor.ts';

/** Named, optimisable parameters. A run owns one table; `Optimize` and `Infer` may be given another. */
export class ParameterTable {
  private readonly values = new Map<string, Tensor>();
  /** Brings the table up to date, if newer values are kept elsewhere. */
  private catchUp: (() => void) | null = null;
  /** Changes whenever a value is put into the table in place of another, or taken from it. */
  version = 0;
  /** How often values were asked for, anywhere. */
  static reads = 0;

  /** Values have changed that are kept elsewhere: `catchUp` puts them into the table when it is next looked into. */
  isBehind(catchUp: () => void): void {
    this.catchUp = catchUp;
  }

  private beUpToDate(): void {
    const { catchUp } = this;
    this.catchUp = null;
    catchUp?.();
  }

  /** From `{name: tensor}`, the form in which programs hold parameters. */
  static from(params: Readonly<Record<string, Tensor>>): ParameterTable {
    const table = new ParameterTable();
    for (const name of Object.keys(params)) table.set(name, params[name]);
    return table;
  }

  get size(): number {
    return this.values.size;
  }

  get(name: string): Tensor | undefined {
    ParameterTable.reads++;
    if (this.catchUp !== null) this.beUpToDate();
    return this.values.get(name);
  }

  /** The version of the values as they are now. */
  get currentVersion(): number {
    if (this.catchUp !== null) this.beUpToDate();
    return this.version;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** The value of a parameter. Newer values that are kept elsewhere are put into the table only if it is one of them. */
  valueBeside(catchUp: () => void, name: string): Tensor | undefined {
    return this.catchUp === catchUp ? this.values.get(name) : this.get(name);
  }

  /** Puts in a parameter that the table does not have yet, and leaves all others alone. */
  add(name: string, value: Tensor): void {
    this.values.set(name, value);
  }

  /** Takes one back that was only just put in. */
  remove(name: string): void {
    this.values.delete(name);
  }

  set(name: string, value: Tensor): void {
    this.beUpToDate();
    this.version++;
    this.values.set(name, value);
  }

  /** Forgets all but the first `count` parameters, in the order in which they were declared. */
  forgetAfter(count: number): void {
    this.beUpToDate();
    this.version++;
    for (const name of [...this.values.keys()].slice(count)) this.values.delete(name);
  }

  /** Takes over everything another table holds, and nothing else. */
  replace(other: ParameterTable): void {
    this.beUpToDate();
    other.beUpToDate();
    this.version++;
    this.values.clear();
    for (const [name, value] of other.values) this.set(name, value);
  }

  /** Whether both hold the same parameters with the same numbers, bit for bit but for the order. */
  equals(other: ParameterTable): boolean {
    this.beUpToDate();
    other.beUpToDate();
    if (this.size !== other.size) return false;
    for (const [name, { dims, data }] of this.values) {
      const found = other.values.get(name);
      if (found === undefined || found.dims.length !== dims.length) return false;
      if (dims.some((n, i) => n !== found.dims[i]) || data.some((x, i) => !Object.is(x, found.data[i]))) return false;
    }
    return true;
  }

  names(): IterableIterator<string> {
    return this.values.keys();
  }

  toObject(): Record<string, Tensor> {
    ParameterTable.reads++;
    this.beUpToDate();
    return Object.fromEntries(this.values);
  }

  /**
   * The same in the order of the names, numbers in them by size: in which order parameters came to be depends on what ran
   * side by side.
   */
  inOrder(): Record<string, Tensor> {
    return Object.fromEntries(Object.entries(this.toObject()).sort(([a], [b]) => compareNames(a, b)));
  }

  /** A table of its own with the same values; tensors are never changed in place, so they are shared. */
  copy(): ParameterTable {
    return ParameterTable.from(this.toObject());
  }
}

const PARTS = /\d+|\D+/g;

function compareNames(a: string, b: string): number {
  const [left, right] = [a.match(PARTS) ?? [], b.match(PARTS) ?? []];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i], right[i]];
    if (x === y) continue;
    const difference = Number(x) - Number(y);
    return Number.isNaN(difference) || difference === 0 ? (x < y ? -1 : 1) : difference;
  }
  return left.length - right.length;
}
