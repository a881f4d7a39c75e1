/**
 * Addresses: where in an execution something happened, as a node of a trie. The path from the root is the list of call sites, with
 * an index for each iteration of a map or loop. Equal addresses are the same object, so comparing is `===`, extending is a look-up,
 * and nothing is ever glued together as text (section 7.1 of the paper names choices and unnamed parameters this way).
 */

/** Call sites beyond this many under one address are found through a map instead of a list. */
const LIST_LIMIT = 8;

/** The key of iterations that run side by side. */
const LANES = '[*]';

/** Where an execution is: the call sites and iterations that lead there. */
export class Address {
  private firstChild: Address | null = null;
  private nextSibling: Address | null = null;
  private childCount = 0;
  private byKey: Map<number | string, Address> | null = null;
  private indices: Address[] | null = null;
  private leapt = false;
  /** True of `nowhere`, whose iterations are not told apart. */
  private undivided = false;

  /** Handlers that keep a table by address may mark here which execution met it last, and how often. */
  private execution = -1;
  private occurrences = 0;

  private constructor(
    readonly parent: Address | null,
    /** A call site's number, a name, or, negative, the iteration ~key of a map or loop. */
    readonly key: number | string,
  ) {}

  static root(): Address {
    return new Address(null, '');
  }

  /** See `nowhere`. */
  static undividedRoot(): Address {
    const address = Address.root();
    address.undivided = true;
    return address;
  }

  /** The address of the call at `site`, a number unique in the program, or under a name. */
  at(site: number | string): Address {
    if (this.byKey !== null) return this.byKey.get(site) ?? this.extend(site);
    let child = this.firstChild;
    while (child !== null) {
      if (child.key === site) return child;
      child = child.nextSibling;
    }
    return this.extend(site);
  }

  /** The address of the i-th iteration of a map or loop. */
  index(i: number): Address {
    if (this.indices === null) this.indices = [];
    const known = this.indices[i];
    if (known !== undefined) return known;
    if (this.undivided) return this;
    // Met in order almost always; after a leap (a minibatch of a large data set) iterations are kept by key.
    if (this.leapt || i !== this.indices.length) {
      this.leapt = true;
      return this.at(~i);
    }
    const made = new Address(this, ~i);
    this.indices.push(made);
    return made;
  }

  /** The address of all iterations of a map, where they run side by side. */
  lanes(): Address {
    return this.at(LANES);
  }

  /** The address that a lane has when it runs alone, with its own iteration in place of all. */
  inLane(path: readonly number[]): Address {
    if (this.parent === null) return this;
    if (this.key === LANES) return this.parent.inLane(path.slice(0, -1)).index(path[path.length - 1]);
    const parent = this.parent.inLane(path);
    return typeof this.key === 'number' && this.key < 0 ? parent.index(~this.key) : parent.at(this.key);
  }

  /**
   * The address for a choice made here in the given execution. A second choice at the same address (a host
   * function called back several times, say) gets an address of its own, by order of occurrence.
   */
  choice(execution: number): Address {
    if (this.execution !== execution) {
      this.execution = execution;
      this.occurrences = 0;
      return this;
    }
    const again = ++this.occurrences;
    return (this.undivided ? this.at(~again) : this.index(again)).choice(execution);
  }

  private extend(site: number | string): Address {
    const child = new Address(this, site);
    if (this.byKey !== null) {
      this.byKey.set(site, child);
      return child;
    }
    child.nextSibling = this.firstChild;
    this.firstChild = child;
    if (++this.childCount > LIST_LIMIT) {
      this.byKey = new Map();
      for (let c: Address | null = child; c !== null; c = c.nextSibling) this.byKey.set(c.key, c);
    }
    return child;
  }

  /** The path in words, for messages: `12/3[0]/7`. */
  toString(): string {
    return this.relativeTo(null);
  }

  /** The path from an address above this one, in words: the names of unnamed parameters. */
  relativeTo(base: Address | null): string {
    const parts: string[] = [];
    for (let a: Address | null = this; a !== base && a !== null && a.parent !== null; a = a.parent) {
      parts.push(typeof a.key === 'number' && a.key < 0 ? `[${~a.key}]` : a.key === LANES ? LANES : `/${a.key}`);
    }
    return parts.reverse().join('').replace(/^\//, '');
  }
}

/**
 * Where functions of the library are called that are given nothing to call back but functions that make no choices, as
 * the compiler found: all iterations are here, which saves making an address for each.
 */
export const nowhere = Address.undividedRoot();
