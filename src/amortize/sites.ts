/** The choices of a program that a network knows: sites, and where they stand in iterations. */
import type { Address } from '../runtime/address.ts';
import { placeOf } from '../runtime/places.ts';
import type { Scale } from './scale.ts';
import { structureOf } from './structure.ts';

export interface Site {
  readonly number: number;
  /** Call sites, family, and the part of a vector. */
  readonly name: string;
  readonly family: string;
  /** The head that speaks for it; `own` for choices that have a guide, `prior` for those that no head can speak for. */
  readonly head: string;
  /** Where it is in the program's text, for people. */
  readonly place: string;
  /** Of its values and of the parameters of its priors, once there are some. */
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
  private readonly byAddress = new WeakMap<Address, Map<string, Key | null>>();
  private readonly byText = new Map<string, Key>();
  /** Whether new sites are added, or unknown. */
  learning = true;

  /** The key of a choice at an address, whose head is of this kind; null if it is not known. `part`: of a vector. */
  keyOf(address: Address, base: Address, family: string, head: string, part: number): Key | null {
    let known = this.byAddress.get(address);
    if (known === undefined) {
      known = new Map();
      this.byAddress.set(address, known);
    }
    const text = `${family} ${head} ${part}`;
    let key = known.get(text);
    if (key === undefined) {
      key = this.found(address, base, family, head, part);
      known.set(text, key);
    }
    return key;
  }

  private found(address: Address, base: Address, family: string, head: string, part: number): Key | null {
    const { site: path, root, positions } = structureOf(address, base, this.learning ? undefined : this.roots);
    const name = `${path} ${family} ${head}${part < 0 ? '' : ` ${part}`}`;
    let site = this.byName.get(name);
    if (site === undefined) {
      if (!this.learning) return null;
      const place = placeOf(address) ?? path;
      site = { number: this.all.length, name, family, head, place, scales: null, met: 0 };
      this.add(site, root);
    }
    return this.key(site, positions);
  }

  add(site: Site, root: string): void {
    this.all.push(site);
    this.byName.set(site.name, site);
    this.roots.add(root);
  }

  private key(site: Site, positions: readonly [number, number, number]): Key {
    const text = `${site.number} ${positions.join(' ')}`;
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
