/**
 * Sets and Maps of a program that runs where values stand for others. A key is looked at, since it decides what is the same.
 * A loop over a collection is given the original key, so that gradients pass through it.
 */

/** Gives the key of a value. */
type KeyOf = (given: unknown) => unknown;

export class GivenSet extends Set<unknown> {
  /** The original values of keys, where they differ from the keys. */
  private readonly given = new Map<unknown, unknown>();

  constructor(
    private readonly keyOf: KeyOf,
    items: Iterable<unknown>,
  ) {
    super();
    for (const item of items) this.add(item);
  }

  /** Another such set, with what `of` makes of each item. */
  copied(of: (item: unknown) => unknown): GivenSet {
    return new GivenSet(this.keyOf, [...this].map(of));
  }

  override add(item: unknown): this {
    const key = this.keyOf(item);
    if (key !== item && !super.has(key)) this.given.set(key, item);
    return super.add(key);
  }

  override has(item: unknown): boolean {
    return super.has(this.keyOf(item));
  }

  override delete(item: unknown): boolean {
    const key = this.keyOf(item);
    this.given.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.given.clear();
    super.clear();
  }

  override *values(): SetIterator<unknown> {
    for (const key of super.values()) yield this.given.get(key) ?? key;
  }

  override keys(): SetIterator<unknown> {
    return this.values();
  }

  override *entries(): SetIterator<[unknown, unknown]> {
    for (const item of this.values()) yield [item, item];
  }

  override [Symbol.iterator](): SetIterator<unknown> {
    return this.values();
  }

  override forEach(visit: (item: unknown, same: unknown, set: Set<unknown>) => void, self?: unknown): void {
    for (const item of this.values()) visit.call(self, item, item, this);
  }
}

/** A WeakMap, whose keys are looked at likewise. */
export class GivenWeakMap extends WeakMap<object, unknown> {
  constructor(
    private readonly keyOf: KeyOf,
    pairs: Iterable<readonly [unknown, unknown]>,
  ) {
    super();
    for (const [key, value] of pairs) this.set(key as object, value);
  }

  override get(given: object): unknown {
    return super.get(this.keyOf(given) as object);
  }

  override set(given: object, value: unknown): this {
    return super.set(this.keyOf(given) as object, value);
  }

  override has(given: object): boolean {
    return super.has(this.keyOf(given) as object);
  }

  override delete(given: object): boolean {
    return super.delete(this.keyOf(given) as object);
  }
}

export class GivenMap extends Map<unknown, unknown> {
  private readonly given = new Map<unknown, unknown>();

  constructor(
    private readonly keyOf: KeyOf,
    pairs: Iterable<readonly [unknown, unknown]>,
  ) {
    super();
    for (const [key, value] of pairs) this.set(key, value);
  }

  /** Another such map, with what `of` makes of each key and value. */
  copied(of: (item: unknown) => unknown): GivenMap {
    return new GivenMap(
      this.keyOf,
      [...this].map(([key, value]) => [of(key), of(value)]),
    );
  }

  override get(given: unknown): unknown {
    return super.get(this.keyOf(given));
  }

  override set(given: unknown, value: unknown): this {
    const key = this.keyOf(given);
    if (key !== given && !super.has(key)) this.given.set(key, given);
    return super.set(key, value);
  }

  override has(given: unknown): boolean {
    return super.has(this.keyOf(given));
  }

  override delete(given: unknown): boolean {
    const key = this.keyOf(given);
    this.given.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.given.clear();
    super.clear();
  }

  override *entries(): MapIterator<[unknown, unknown]> {
    for (const [key, value] of super.entries()) yield [this.given.get(key) ?? key, value];
  }

  override *keys(): MapIterator<unknown> {
    for (const [key] of this.entries()) yield key;
  }

  override [Symbol.iterator](): MapIterator<[unknown, unknown]> {
    return this.entries();
  }

  override forEach(visit: (value: unknown, key: unknown, map: Map<unknown, unknown>) => void, self?: unknown): void {
    for (const [key, value] of this.entries()) visit.call(self, value, key, this);
  }
}
