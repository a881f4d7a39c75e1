import type { Address } from './address.ts';
import { machine } from './machine.ts';

/** Where in the program's text an address is, if that is known: the innermost of its calls. */
export function placeOf(address: Address): string | undefined {
  const { placeOf: find } = machine.run;
  if (find === undefined) return undefined;
  for (let a: Address | null = address; a !== null; a = a.parent) {
    if (typeof a.key === 'number' && a.key >= 0) return find(a.key);
  }
  return undefined;
}

/** An address for a message: the place in the program first, if it is known. */
export function where(address: Address): string {
  const place = placeOf(address);
  return place === undefined ? `address ${address}` : `${place} (address ${address})`;
}
