/**
 * `globalStore` while lanes run. What an iteration writes it may read again; what it reads before writing may come from the
 * iteration before it, if that wrote it: then the iterations communicate, and must run one after the other.
 */
import type { Store } from '../runtime/machine.ts';

/** The value that the last of some iterations left; computed when it is needed. */
interface Left {
  readonly find: () => unknown;
}

const deleted = Symbol('deleted');
const lefts = new WeakSet<object>();
/** The key under which a proxy of a lane store gives the store. */
const OWNER = Symbol('owner');

/** The lane store behind a store, if there is one. */
const ownerOf = (store: Store): LaneStore | undefined => (store as { readonly [OWNER]?: LaneStore })[OWNER];

/** Whether the lanes in force have written to their store. */
export const hasWritten = (store: Store): boolean => (ownerOf(store)?.keysWritten.length ?? 0) > 0;

/** (Its own proxy handler: there is one for each side of a conditional that lanes take.) */
export class LaneStore implements ProxyHandler<Store> {
  readonly store: Store;
  /** What the iterations wrote; everything else is that of the store around them. */
  private readonly written = new Map<PropertyKey, unknown>();
  private readonly readFirst = new Set<PropertyKey>();
  /** What the iterations had written when one of them first asked which fields there are. */
  private listed: ReadonlySet<PropertyKey> | null = null;

  constructor(private readonly before: Store) {
    this.store = new Proxy({}, this);
  }

  get(_target: Store, key: PropertyKey): unknown {
    return key === OWNER ? this : this.read(key);
  }

  has(_target: Store, key: PropertyKey): boolean {
    return this.written.has(key) ? this.written.get(key) !== deleted : this.noted(key) in this.before;
  }

  set(_target: Store, key: PropertyKey, value: unknown): boolean {
    this.written.set(key, value);
    return true;
  }

  defineProperty(_target: Store, key: PropertyKey, { value }: PropertyDescriptor): boolean {
    this.written.set(key, value);
    return true;
  }

  deleteProperty(_target: Store, key: PropertyKey): boolean {
    this.written.set(key, deleted);
    return true;
  }

  ownKeys(): (string | symbol)[] {
    return this.keys();
  }

  getOwnPropertyDescriptor(_target: Store, key: PropertyKey): PropertyDescriptor | undefined {
    if (!(key in this.store)) return undefined;
    return { configurable: true, enumerable: true, writable: true, value: this.read(key) };
  }

  /** True if an iteration may have read what another wrote. */
  get communicates(): boolean {
    for (const key of this.written.keys()) {
      if (this.readFirst.has(key) || (this.listed !== null && !this.listed.has(key))) return true;
    }
    return false;
  }

  /** What the iterations left in a field, if they wrote it. */
  left(key: PropertyKey): { readonly value: unknown } | undefined {
    return this.written.has(key) ? { value: this.read(key) } : undefined;
  }

  get keysWritten(): PropertyKey[] {
    return [...this.written.keys()];
  }

  leave(key: PropertyKey, find: () => unknown): void {
    const left: Left = { find };
    lefts.add(left);
    this.written.set(key, left);
  }

  private read(key: PropertyKey): unknown {
    if (!this.written.has(key)) return this.before[this.noted(key) as string];
    const value = this.written.get(key);
    if (typeof value === 'object' && value !== null && lefts.has(value)) return (value as Left).find();
    return value === deleted ? undefined : value;
  }

  private noted(key: PropertyKey): PropertyKey {
    this.readFirst.add(key);
    return key;
  }

  private keys(): (string | symbol)[] {
    this.listed ??= new Set(this.written.keys());
    const keys = new Set(Reflect.ownKeys(this.before));
    for (const [key, value] of this.written) {
      if (value === deleted) keys.delete(key as string);
      else keys.add(key as string);
    }
    return [...keys];
  }
}

/** After all groups of iterations: the store holds what the last iteration wrote, which `find` works out if asked. */
export function leaveStores(
  before: Store,
  stores: readonly LaneStore[],
  find: (values: readonly ({ readonly value: unknown } | undefined)[]) => unknown,
): void {
  const outer = ownerOf(before);
  for (const key of new Set(stores.flatMap((store) => store.keysWritten))) {
    const last = (): unknown => find(stores.map((store) => store.left(key)));
    if (outer === undefined) leaveIn(before, key, last);
    else outer.leave(key, last);
  }
}

function leaveIn(store: Store, key: PropertyKey, find: () => unknown): void {
  Object.defineProperty(store, key, {
    configurable: true,
    enumerable: true,
    get: find,
    set(this: Store, value: unknown) {
      Object.defineProperty(this, key, { configurable: true, enumerable: true, writable: true, value });
    },
  });
}
