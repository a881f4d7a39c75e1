/**
 * `globalStore` while lanes run. What an iteration writes it may read again; what it reads before writing may come from the
 * iteration before it, if that wrote it: then the iterations communicate, and must run one after the other.
 */
import type { Store } from '../runtime/machine.ts';

export class LaneStore {
  readonly store: Store;
  private readonly written = new Set<PropertyKey>();
  private readonly readFirst = new Set<PropertyKey>();

  constructor(private readonly before: Store) {
    this.store = new Proxy({ ...before } as Store, {
      get: (target, key) => {
        this.noteRead(key);
        return target[key as string];
      },
      has: (target, key) => {
        this.noteRead(key);
        return key in target;
      },
      set: (target, key, value) => {
        this.written.add(key);
        target[key as string] = value;
        return true;
      },
      deleteProperty: (target, key) => {
        this.written.add(key);
        return delete target[key as string];
      },
    });
  }

  /** True if an iteration may have read what another wrote. */
  get communicates(): boolean {
    for (const key of this.written) if (this.readFirst.has(key)) return true;
    return false;
  }

  /** Afterwards the store holds what the last iteration wrote; nobody has needed that yet, so it is not worked out. */
  leave(look: () => never): void {
    for (const key of this.written) {
      Object.defineProperty(this.before, key, {
        configurable: true,
        enumerable: true,
        get: look,
        set(this: Store, value: unknown) {
          Object.defineProperty(this, key, { configurable: true, enumerable: true, writable: true, value });
        },
      });
    }
  }

  private noteRead(key: PropertyKey): void {
    if (!this.written.has(key)) this.readFirst.add(key);
  }
}
