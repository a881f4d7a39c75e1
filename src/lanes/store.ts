/**
 * `globalStore` while lanes run. What an iteration writes it may read again; what it reads before writing may come from the
 * iteration before it, if that wrote it: then the iterations communicate, and must run one after the other.
 */
import type { Store } from '../runtime/machine.ts';

/** In place of a value that is not there: nobody has needed yet what the last of some iterations left. */
interface Left {
  readonly look: () => never;
}

const deleted = Symbol('deleted');
const lefts = new WeakSet<object>();
const laneStores = new WeakMap<Store, LaneStore>();

export class LaneStore {
  readonly store: Store;
  /** What the iterations wrote; everything else is that of the store around them. */
  private readonly written = new Map<PropertyKey, unknown>();
  private readonly readFirst = new Set<PropertyKey>();
  /** What the iterations had written when one of them first asked which fields there are. */
  private listed: ReadonlySet<PropertyKey> | null = null;

  constructor(private readonly before: Store) {
    this.store = new Proxy({} as Store, {
      get: (_target, key) => this.read(key),
      has: (_target, key) => (this.written.has(key) ? this.written.get(key) !== deleted : this.noted(key) in before),
      set: (_target, key, value) => {
        this.written.set(key, value);
        return true;
      },
      defineProperty: (_target, key, { value }) => {
        this.written.set(key, value);
        return true;
      },
      deleteProperty: (_target, key) => {
        this.written.set(key, deleted);
        return true;
      },
      ownKeys: () => this.keys(),
      getOwnPropertyDescriptor: (_target, key) => {
        if (!(key in this.store)) return undefined;
        return { configurable: true, enumerable: true, writable: true, value: this.read(key) };
      },
    });
    laneStores.set(this.store, this);
  }

  /** True if an iteration may have read what another wrote. */
  get communicates(): boolean {
    for (const key of this.written.keys()) {
      if (this.readFirst.has(key) || (this.listed !== null && !this.listed.has(key))) return true;
    }
    return false;
  }

  /** Afterwards the store holds what the last iteration wrote; nobody has needed that yet, so it is not worked out. */
  leave(look: () => never): void {
    const outer = laneStores.get(this.before);
    const left: Left = { look };
    lefts.add(left);
    for (const key of this.written.keys()) {
      if (outer !== undefined) outer.written.set(key, left);
      else leaveIn(this.before, key, look);
    }
  }

  private read(key: PropertyKey): unknown {
    if (!this.written.has(key)) return this.before[this.noted(key) as string];
    const value = this.written.get(key);
    if (typeof value === 'object' && value !== null && lefts.has(value)) (value as Left).look();
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

function leaveIn(store: Store, key: PropertyKey, look: () => never): void {
  Object.defineProperty(store, key, {
    configurable: true,
    enumerable: true,
    get: look,
    set(this: Store, value: unknown) {
      Object.defineProperty(this, key, { configurable: true, enumerable: true, writable: true, value });
    },
  });
}
