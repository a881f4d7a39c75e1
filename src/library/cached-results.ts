/** The tables of `cache`: results by arguments, with a limit and without. */
import { valueKey } from '../runtime/values.ts';
import { argumentsKey } from './argument-key.ts';

/** A result, boxed so that a cached `undefined` differs from nothing cached. */
interface Result<B> {
  readonly value: B;
}

/** What a cached function knows. */
export interface CachedResults<B> {
  /** How many results are kept. */
  readonly size: number;
  /** WebPPL's name for `size`. */
  readonly itemCount: number;
  find(args: readonly unknown[]): Result<B> | undefined;
  keep(args: readonly unknown[], value: B): void;
  /** Forgets everything. */
  clear(): void;
}

type Table = Map<unknown, unknown>;

/** A table per argument: a text of all arguments would take ten times as long to make and look up. */
export class UnlimitedResults<B> implements CachedResults<B> {
  size = 0;

  get itemCount(): number {
    return this.size;
  }

  /** By number of arguments, then by each of them in turn. */
  private tables: (Table | undefined)[] = [];

  find(args: readonly unknown[]): Result<B> | undefined {
    let found: unknown = this.tables[args.length];
    if (args.length === 0) return (found as Table | undefined)?.get(undefined) as Result<B> | undefined;
    for (let i = 0; i < args.length && found !== undefined; i++) found = (found as Table).get(valueKey(args[i]));
    return found as Result<B> | undefined;
  }

  keep(args: readonly unknown[], value: B): void {
    let table = this.tables[args.length];
    if (table === undefined) {
      table = new Map();
      this.tables[args.length] = table;
    }
    for (let i = 0; i < args.length - 1; i++) table = within(table, valueKey(args[i]));
    const key = args.length === 0 ? undefined : valueKey(args[args.length - 1]);
    if (!table.has(key)) this.size++;
    table.set(key, { value });
  }

  clear(): void {
    this.tables = [];
    this.size = 0;
  }
}

function within(table: Table, key: unknown): Table {
  let inner = table.get(key) as Table | undefined;
  if (inner === undefined) {
    inner = new Map();
    table.set(key, inner);
  }
  return inner;
}

/** Forgets the results not used for longest. */
export class LimitedResults<B> implements CachedResults<B> {
  /** A Map keeps the order of insertion, so the first entry is the one not used for longest. */
  private readonly results = new Map<unknown, Result<B>>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.results.size;
  }

  get itemCount(): number {
    return this.size;
  }

  find(args: readonly unknown[]): Result<B> | undefined {
    const key = argumentsKey(args);
    const found = this.results.get(key);
    if (found !== undefined) {
      this.results.delete(key);
      this.results.set(key, found);
    }
    return found;
  }

  keep(args: readonly unknown[], value: B): void {
    this.results.set(argumentsKey(args), { value });
    if (this.results.size > this.limit) this.results.delete(this.results.keys().next().value);
  }

  clear(): void {
    this.results.clear();
  }
}
