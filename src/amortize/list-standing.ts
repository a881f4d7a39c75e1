/**
 * Where a number stands in its list: the mean of the list, its spread, and the place of the number within it. A
 * network that has to find this out itself, from numbers of many magnitudes, learns it late or never.
 */
import type { TokenPlaces } from './data-shape.ts';
import type { Scale } from './scale.ts';

/** Mean and spread of the numbers of a list, for each execution; the spread is NaN of fewer than two numbers. */
export class ListMoments {
  private seen: { readonly scale: Scale; readonly means: Float64Array; readonly spreads: Float64Array } | null = null;

  constructor(
    readonly means: Float64Array,
    readonly spreads: Float64Array,
  ) {}

  /** As networks see them. All elements of a list have one scale, so that this is computed once for them. */
  seenIn(scale: Scale): { readonly means: Float64Array; readonly spreads: Float64Array } {
    if (this.seen?.scale !== scale) {
      this.seen = {
        scale,
        means: this.means.map((mean) => scale.squashed(mean)),
        spreads: this.spreads.map((spread) => 0.5 * Math.log(Math.max(LEAST, spread / scale.spread))),
      };
    }
    return this.seen;
  }
}

/** Spreads are told by their logarithms, within limits. */
const LEAST = 1e-4;

/** Of so many numbers of an element, products of two that are written. */
const MOST_MULTIPLIED = 4;
const FEATURES = 3;

/** How many numbers are written for an element that has so many. */
export function standingWidth(numbers: number): number {
  return FEATURES * numbers + (numbers <= MOST_MULTIPLIED ? (numbers * (numbers - 1)) / 2 : 0);
}

/** The lists that tokens are elements of: for each token the moments of each of its leaves, or null. Tokens of one list share them. */
export function listMoments(
  tokens: readonly TokenPlaces[],
  leaves: readonly (readonly ArrayLike<unknown>[])[],
  count: number,
): (readonly ListMoments[] | null)[] {
  const members = new Map<string, number[]>();
  const nameOf = ({ list, leaves: own }: TokenPlaces): string => `${list}|${own.map(({ path }) => path).join()}`;
  tokens.forEach((token, t) => {
    if (token.list === undefined) return;
    const known = members.get(nameOf(token));
    if (known === undefined) members.set(nameOf(token), [t]);
    else known.push(t);
  });
  const moments = new Map<string, readonly ListMoments[]>();
  for (const [name, own] of members) {
    moments.set(
      name,
      leaves[own[0]].map((_, k) =>
        momentsOf(
          own.map((t) => leaves[t][k]),
          count,
        ),
      ),
    );
  }
  return tokens.map((token) => (token.list === undefined ? null : moments.get(nameOf(token))!));
}

function momentsOf(columns: readonly ArrayLike<unknown>[], count: number): ListMoments {
  const [means, spreads] = [new Float64Array(count), new Float64Array(count).fill(Number.NaN)];
  for (let i = 0; i < count; i++) {
    let [n, mean, squares] = [0, 0, 0];
    for (const column of columns) {
      const value = column[i];
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      n++;
      const off = value - mean;
      mean += off / n;
      squares += off * (value - mean);
    }
    means[i] = mean;
    if (n > 1) spreads[i] = Math.sqrt(squares / n);
  }
  return new ListMoments(means, spreads);
}

/** The numbers of an element in some executions, and the list that each of them is in. */
interface Standing {
  readonly values: ArrayLike<unknown>;
  readonly list: ListMoments;
  readonly scale: Scale;
}

/** Where `writeStanding` writes: a row for each execution. */
interface Rows {
  readonly out: Float32Array | Float64Array;
  readonly first: number;
  readonly width: number;
}

/** Writes how the numbers of an element stand in their lists, in so many executions, and how they go together. */
export function writeStanding(numbers: readonly Standing[], count: number, { out, first, width }: Rows): void {
  const places = numbers.map(({ values, list, scale }, k) => {
    const { means, spreads } = list;
    const seen = list.seenIn(scale);
    const found = new Float64Array(count);
    for (let i = 0, to = first + FEATURES * k; i < count; i++, to += width) {
      if (!(spreads[i] >= 0)) continue;
      const x = numberOf(values[i]);
      found[i] = spreads[i] > 0 && Number.isFinite(x) ? (x - means[i]) / spreads[i] : 0;
      out[to] = seen.means[i];
      out[to + 1] = seen.spreads[i];
      out[to + 2] = found[i];
    }
    return found;
  });
  if (places.length > MOST_MULTIPLIED) return;
  for (let i = 0, to = first + FEATURES * places.length; i < count; i++, to += width) {
    let next = to;
    for (let a = 0; a < places.length; a++) for (let b = 0; b < a; b++) out[next++] = places[a][i] * places[b][i];
  }
}

const numberOf = (value: unknown): number => (value === undefined || value === null ? Number.NaN : Number(value));
