import type { Address } from './address.ts';
import { machine } from './machine.ts';

/** The number of the innermost call of an address, or the address itself if it has none. */
export function siteOf(address: Address): unknown {
  for (let a: Address | null = address; a !== null; a = a.parent) {
    if (typeof a.key === 'number' && a.key >= 0) return a.key;
  }
  return address;
}

/** Where the call sites of a module of an app are: the first has this number, and each its line and column, in a text like `3:7 4:1`. */
interface ModulePlaces {
  readonly first: number;
  readonly file: string;
  readonly places: string;
  /** Names of the call sites, one after the other. */
  readonly names: readonly string[];
}

const modules: ModulePlaces[] = [];

/** A module of an app says where its call sites are. */
export function addPlaces(file: string, first: number, places: string, names: string): void {
  modules.push({ file, first, places, names: names.split(' ') });
}

/** Where in the text of an app a call site is. */
function placeInApp(site: number): string | undefined {
  // What was said last is what a module has become while an app is worked on.
  for (let i = modules.length - 1; i >= 0; i--) {
    const { first, file, places } = modules[i];
    const place = site < first ? undefined : places.split(' ')[site - first];
    if (place) return `${file}:${place}`;
  }
  return undefined;
}

/** The name of a call site, which stays the same when other parts of the program change; its number if it has none. */
export function nameOfSite(site: number): string {
  const own = machine.run.nameOf?.(site);
  if (own !== undefined) return own;
  for (let i = modules.length - 1; i >= 0; i--) {
    const { first, names } = modules[i];
    const name = site < first ? undefined : names[site - first];
    if (name !== undefined && name !== '') return name;
  }
  return String(site);
}

/** Where in the program's text an address is, if that is known: the innermost of its calls. */
export function placeOf(address: Address): string | undefined {
  const site = siteOf(address);
  return typeof site === 'number' ? (machine.run.placeOf?.(site) ?? placeInApp(site)) : undefined;
}

/** Where the guide of the choice at an address is written, if that is known. */
export function guidePlaceOf(address: Address): string | undefined {
  const site = siteOf(address);
  return typeof site === 'number' ? machine.run.guideOf?.(site) : undefined;
}

/** An address for a message: the place in the program first, if it is known. */
export function where(address: Address): string {
  const place = placeOf(address);
  return place === undefined ? `address ${address}` : `${place} (address ${address})`;
}
