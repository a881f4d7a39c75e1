/** The choices of a program that a network knows: sites, and where they stand in iterations. */
import type { Address } from '../runtime/address.ts';
import { placeOf } from '../runtime/places.ts';
import { partsOfAddress } from './address-parts.ts';
import type { Scale } from './scale.ts';

export interface Site {
  number: number;
  /** The call sites, the family, and which element of a vector it is. */
  readonly name: string;
  readonly family: string;
  /** The head that proposes its values; `own` for choices that have a guide, `prior` for those that have no head. */
  readonly head: string;
  /** Where it is in the program's text, for people. */
  readonly place: string;
  /** The scales of its values and of the parameters of its priors, once there are some. */
  scales: readonly Scale[] | null;
  /** Executions of the training in which it was met. */
  met: number;
}

/** A site in an iteration. */
export interface Key {
  readonly number: number;
  readonly site: Site;
  readonly positions: readonly [number, number, number];
}

export class Sites {
  readonly all: Site[] = [];
  readonly keys: Key[] = [];
  /** First call sites of the model. */
  readonly roots = new Set<string>();
  private readonly byName = new Map<string, Site>();
  /** Without the model's first call, for other functions around the same model; null if there are several. */
  private readonly byTail = new Map<string, Site | null>();
  /** Where addresses are below the start of an execution, by that start. */
  private readonly starts = new WeakMap<Address, WeakMap<Address, Path>>();
  private readonly start = new Path();
  private readonly byText = new Map<string, Key>();
  /** Whether sites that are met for the first time are added; otherwise they count as unknown. */
  learning = true;
  /** Whether an unknown site was met; null where that is not asked for. */
  private missed: boolean | null = null;

  /** Does some work in which no site is added, and tells whether it met one that is not known. */
  closed<R>(work: () => R): { readonly result: R; readonly missed: boolean } {
    this.missed = false;
    try {
      const result = work();
      return { result, missed: this.missed };
    } finally {
      this.missed = null;
    }
  }

  /** Numbers the sites from the one with this number on as they come in this list of their names. */
  renumber(first: number, names: readonly string[]): void {
    this.all.length = first;
    for (const name of names) {
      const site = this.byName.get(name)!;
      site.number = this.all.length;
      this.all.push(site);
    }
  }

  /** The key of a choice at an address, whose head is of this kind; null if it is not known. `part` is the element of a vector. */
  keyOf(address: Address, base: Address, family: string, head: string, part: number): Key | null {
    let paths = this.starts.get(base);
    if (paths === undefined) {
      paths = new WeakMap([[base, this.start]]);
      this.starts.set(base, paths);
    }
    const { known } = pathOf(address, paths, this.start);
    const text = `${family} ${head} ${part}`;
    let key = known.get(text);
    if (key === undefined || (key === null && this.learning)) {
      key = this.found(address, base, family, head, part);
      // (One that is not known now may be later.)
      if (this.missed !== true) known.set(text, key);
    }
    return key;
  }

  private found(address: Address, base: Address, family: string, head: string, part: number): Key | null {
    const { site: path, root, positions } = partsOfAddress(address, base, this.learning ? undefined : this.roots);
    const kind = ` ${family} ${head}${part < 0 ? '' : ` ${part}`}`;
    const name = `${path}${kind}`;
    let site = this.byName.get(name);
    if (site === undefined) {
      if (!this.learning) {
        const like = this.calledElsewhere(path, kind);
        return like === null ? null : this.key(like, positions);
      }
      if (this.missed !== null) {
        this.missed = true;
        return null;
      }
      const place = placeOf(address) ?? path;
      site = { number: this.all.length, name, family, head, place, scales: null, met: 0 };
      this.add(site, root);
    }
    return this.key(site, positions);
  }

  /**
   * The site of a choice of the model where another function calls it: `() => model(data)` and `function(data) { return model(data); }` are
   * one model to the network. Its call sites are compared from the end.
   */
  private calledElsewhere(path: string, kind: string): Site | null {
    for (let tail: string | undefined = path; tail !== undefined; tail = tailOf(tail)) {
      const site = this.byTail.get(tail + kind) ?? this.byName.get(tail + kind);
      if (site !== undefined) return site;
    }
    return null;
  }

  add(site: Site, root: string): void {
    this.all.push(site);
    this.byName.set(site.name, site);
    const tail = tailOf(site.name);
    if (tail !== undefined) this.byTail.set(tail, this.byTail.has(tail) ? null : site);
    this.roots.add(root);
  }

  private key(site: Site, positions: readonly [number, number, number]): Key {
    const text = `${site.name} ${positions.join(' ')}`;
    let key = this.byText.get(text);
    if (key === undefined) {
      key = { number: this.keys.length, site, positions };
      this.keys.push(key);
      this.byText.set(text, key);
    }
    return key;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }
}

/**
 * The path of an address from the start of an execution. Executions that start elsewhere have the same paths at
 * other addresses, so that the key of a path is found only once.
 */
class Path {
  /** Keys of choices here, by their family, head and part. */
  readonly known = new Map<string, Key | null>();
  private readonly next = new Map<number | string, Path>();

  at(key: number | string): Path {
    let found = this.next.get(key);
    if (found === undefined) {
      found = new Path();
      // A loop may have iterations whose numbers never come again.
      if (this.next.size < MOST_WAYS) this.next.set(key, found);
    }
    return found;
  }
}

const MOST_WAYS = 1000;

function pathOf(address: Address, paths: WeakMap<Address, Path>, start: Path): Path {
  const missing: Address[] = [];
  let at = address;
  let path = paths.get(at);
  while (path === undefined) {
    if (at.parent === null) path = start;
    else {
      missing.push(at);
      at = at.parent;
      path = paths.get(at);
    }
  }
  for (let i = missing.length - 1; i >= 0; i--) {
    path = path.at(missing[i].key);
    paths.set(missing[i], path);
  }
  return path;
}

/** Call sites without the first; undefined if there is only one. */
function tailOf(path: string): string | undefined {
  const end = path.indexOf('/');
  return end < 0 ? undefined : path.slice(end + 1);
}
