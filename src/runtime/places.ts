import type { Address } from './address.ts';
import { machine } from './machine.ts';

/** The number of the innermost call of an address, or the address itself if it has none. */
export function siteOf(address: Address): unknown {
  for (let a: Address | null = address; a !== null; a = a.parent) {
    if (typeof a.key === 'number' && a.key >= 0) return a.key;
  }
  return address;
}

/** Where in the program's text an address is, if that is known: the innermost of its calls. */
export function placeOf(address: Address): string | undefined {
  const site = siteOf(address);
  return typeof site === 'number' ? machine.run.placeOf?.(site) : undefined;
}

/** An address for a message: the place in the program first, if it is known. */
export function where(address: Address): string {
  const place = placeOf(address);
  return place === undefined ? `address ${address}` : `${place} (address ${address})`;
}
