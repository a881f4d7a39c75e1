/**
 * Finds the data in a model that already has them, as in `Infer({guide: net, model: () => model(data)})`. Dreams
 * teach which part of the data is observed at which place of the program.
 */
import type { Address } from '../runtime/address.ts';
import { partsOfAddress } from './address-parts.ts';
import { SEPARATOR } from './dreamt-columns.ts';

/**
 * A key of a place: a name; or, for an index, each sum that gives it: of which count of the address (iteration, outer iteration, depth),
 * plus which number.
 */
export type Source = string | (readonly [number, number])[];

export class ObservedSources {
  readonly bySite = new Map<string, Source[] | null>();

  /** Notes what is observed, in executions that start here. */
  from(base: Address): (address: Address, place: string) => void {
    return (address, place) => {
      const { site, counts } = partsOfAddress(address, base);
      const keys = place === '' ? [] : place.split(SEPARATOR);
      const known = this.bySite.get(site);
      if (known === null) return;
      const sources = keys.map((key, k) => sourceOf(key, counts, known?.[k]));
      const fits = (known === undefined || known.length === keys.length) && sources.every((source) => source !== null);
      this.bySite.set(site, fits ? (sources as Source[]) : null);
    };
  }

  /** First call sites of the model that lead to what it observes. */
  get roots(): string[] {
    return [...this.bySite.keys()].map((site) => site.split('/')[0]);
  }

  /** The place that is observed at an address; null if that is not known. */
  placeOf(address: Address, base: Address, roots: ReadonlySet<string>): (string | number)[] | null {
    const { site, counts } = partsOfAddress(address, base, roots);
    const number = ([count, more]: readonly [number, number]): number => (counts[count] ?? 0) + more;
    return this.bySite.get(site)?.map((source) => (typeof source === 'string' ? source : number(source[0]))) ?? null;
  }
}

/** Always the same number. */
const CONSTANT = 3;

/** The sources that a key can have, as far as is known; null if none fits. */
function sourceOf(key: string, counts: readonly number[], known: Source | undefined): Source | null {
  if (!/^\d+$/.test(key)) return known === undefined || known === key ? key : null;
  if (typeof known === 'string') return null;
  const number = Number(key);
  const ways = known ?? [0, 1, 2, CONSTANT].map((count) => [count, number - (counts[count] ?? 0)] as const);
  const left = ways.filter(([count, more]) => counts[count] !== -1 && (counts[count] ?? 0) + more === number);
  return left.length === 0 ? null : left;
}

/** Puts a value at a place of data that are being assembled. */
export function putAt(data: unknown, place: readonly (string | number)[], value: unknown): unknown {
  if (place.length === 0) return value;
  const [key, ...rest] = place;
  const holder = (data ?? (typeof key === 'number' ? [] : {})) as Record<string | number, unknown>;
  holder[key] = putAt(holder[key], rest, value);
  return holder;
}
