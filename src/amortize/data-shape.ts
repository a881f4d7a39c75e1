/**
 * Data as tokens: one for each element of a list, with the numbers, names and vectors that are found in it. So lists may have any
 * length, and parts of data may be missing.
 */
import { hasFields } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';
import { positionOf } from './address-parts.ts';
import { type ListMoments, standingWidth, writeStanding } from './list-standing.ts';
import { Scale } from './scale.ts';

/** Lists of this length within lists count as one thing, like a record, if all of them have it. */
const LONGEST_POINT = 8;
/** The most different names that a leaf of the data may have. */
const MOST_NAMES = 63;

/** The path to a leaf within its token; iterations are `[]`. */
interface Leaf {
  readonly path: string;
  kind: 'number' | 'name' | 'vector' | 'unknown';
  scales: Scale[];
  names: string[];
  width: number;
}

export interface Signature {
  readonly number: number;
  readonly path: string;
  readonly leaves: Leaf[];
  width: number;
}

/** A way from the data to a leaf, key after key. */
export type Place = readonly (string | number)[];

/** A token, by the places of its leaves. */
export interface TokenPlaces {
  readonly path: string;
  /** The list that it is an element of; undefined if it is none. */
  readonly list: string | undefined;
  readonly positions: readonly [number, number];
  readonly leaves: readonly { readonly path: string; readonly place: Place }[];
}

/** Lists whose elements have one token each, by their path. */
type Points = ReadonlySet<string>;

/** The tokens of data of this form. */
export function tokensOf(data: unknown, points: Points): TokenPlaces[] {
  const tokens: TokenPlaces[] = [];
  const visitToken = (value: unknown, path: string, place: Place, indices: readonly number[]): void => {
    const leaves: { path: string; place: Place }[] = [];
    const lists: [unknown[], string, Place][] = [];
    const visit = (part: unknown, name: string, at: Place): void => {
      if (Array.isArray(part)) {
        if (points.has(path + name)) part.forEach((item, i) => void visit(item, `${name}.${i}`, [...at, i]));
        else lists.push([part, path + name, at]);
      } else if (hasFields(part)) {
        for (const key of Object.keys(part)) visit(part[key], `${name}.${key}`, [...at, key]);
      } else if (typeof part !== 'function') leaves.push({ path: name, place: at });
    };
    visit(value, '', place);
    const [inner, outer] = [indices.at(-1), indices.at(-2)];
    if (leaves.length > 0) {
      const positions = [inner, outer].map((i) => (i === undefined ? 0 : positionOf(i))) as [number, number];
      const list = indices.length === 0 ? undefined : place.slice(0, -1).join('.');
      tokens.push({ path, list, positions, leaves });
    }
    for (const [list, at, where] of lists) {
      list.forEach((item, i) => void visitToken(item, `${at}[]`, [...where, i], [...indices, i]));
    }
  };
  visitToken(data, '', [], []);
  return tokens;
}

/** Lists inside of lists that always have the same few elements, none of them a list. */
export function pointsIn(examples: readonly unknown[]): Set<string> {
  const lengths = new Map<string, number>();
  const visit = (value: unknown, path: string, inside: boolean): void => {
    if (Array.isArray(value)) {
      const isFlat = !value.some((item) => typeof item === 'object' && item !== null);
      const known = lengths.get(path);
      const fits = inside && isFlat && value.length <= LONGEST_POINT && (known ?? value.length) === value.length;
      lengths.set(path, fits ? value.length : Number.NaN);
      for (const item of value) visit(item, `${path}[]`, true);
    } else if (hasFields(value)) {
      for (const key of Object.keys(value)) visit(value[key], `${path}.${key}`, inside);
    }
  };
  for (const example of examples) visit(example, '', false);
  return new Set([...lengths].filter(([, length]) => !Number.isNaN(length)).map(([path]) => path));
}

/** The value at a place of the data. */
export function at(data: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], data);
}

/** What is known of the data of a model: which tokens there are, and how their leaves become numbers. */
export class DataShape {
  readonly signatures: Signature[] = [];
  private readonly byPath = new Map<string, Signature>();
  /** Whether new signatures, names and scales are learned. */
  learning = true;

  constructor(
    readonly points: Points,
    private readonly embed: Readonly<Record<string, (value: unknown) => ArrayLike<number>>>,
  ) {}

  /** The signature of tokens; undefined if it is not known. */
  signature({ path, leaves }: TokenPlaces): Signature | undefined {
    const name = `${path}|${leaves.map((leaf) => leaf.path).join()}`;
    let found = this.byPath.get(name);
    if (found === undefined && this.learning) {
      found = {
        number: this.signatures.length,
        path: name,
        leaves: leaves.map((leaf) => ({ path: leaf.path, kind: 'unknown', scales: [], names: [], width: 0 })),
        width: 0,
      };
      this.add(found);
    }
    return found;
  }

  add(signature: Signature): void {
    this.signatures.push(signature);
    this.byPath.set(signature.path, signature);
  }

  /** What an `embed` makes of the values of a leaf, as vectors. */
  embedded(signature: Signature, k: number, values: ArrayLike<unknown>): ArrayLike<unknown> {
    const path = signature.path.split('|')[0] + signature.leaves[k].path;
    const name = path.replaceAll('[]', '').replace(/^\./, '');
    const embed = this.embed[name] ?? this.embed['*'];
    if (embed === undefined) return values;
    return Array.from(values, (value) => {
      if (value === undefined || value === null) return value;
      const made = embed(value);
      return made instanceof Tensor ? made : new Tensor([made.length, 1], Float64Array.from(made));
    });
  }

  /** Learns from values of leaves how to make numbers of them. */
  learn(signature: Signature, values: readonly ArrayLike<unknown>[]): void {
    signature.leaves.forEach((leaf, k) => {
      if (leaf.kind === 'unknown' || leaf.kind === 'name') this.learnLeaf(leaf, Array.from(values[k]));
    });
    const own = signature.leaves.reduce((sum, { width }) => sum + width, 0);
    signature.width = own + (isElement(signature) ? standingWidth(numbersIn(signature).length) : 0);
  }

  private learnLeaf(leaf: Leaf, values: readonly unknown[]): void {
    const there = values.filter((value) => value !== undefined && value !== null);
    if (there.length === 0) return;
    const [first] = there;
    if (typeof first === 'number' || typeof first === 'boolean') {
      leaf.kind = 'number';
      leaf.scales = [Scale.of(there.map(Number))];
      leaf.width = BARE_NUMBER;
    } else if (first instanceof Tensor) {
      leaf.kind = 'vector';
      leaf.scales = Array.from({ length: first.length }, (_, i) =>
        Scale.of(there.map((value) => (value as Tensor).data[i])),
      );
      leaf.width = first.length + 1;
    } else {
      leaf.kind = 'name';
      for (const name of new Set(there.map(String))) {
        if (!leaf.names.includes(name) && leaf.names.length < MOST_NAMES) leaf.names.push(name);
      }
      leaf.width = MOST_NAMES + 1;
    }
  }

  /**
   * Writes the numbers of tokens, a row each; `values` are those of each leaf, `lists` what the lists are that they are elements of. What is
   * missing is all zeros.
   */
  write(
    signature: Signature,
    { leaves: values, lists }: TokenValues,
    count: number,
    out: Float32Array | Float64Array,
    start: number,
  ): void {
    const { width } = signature;
    let first = start;
    signature.leaves.forEach((leaf, k) => {
      const column = values[k];
      for (let i = 0, to = first; i < count; i++, to += width) {
        const value = column[i];
        if (value !== undefined && value !== null) writeLeaf(leaf, value, out, to);
      }
      first += leaf.width;
    });
    // Networks of earlier versions have no numbers for the place in the list.
    if (lists === null || start + width === first) return;
    const standing = numbersIn(signature).map((k) => ({
      values: values[k],
      list: lists[k],
      scale: signature.leaves[k].scales[0],
    }));
    writeStanding(standing, count, { out, first, width });
  }
}

/** The values of a token in some executions, by leaf, and the lists that it is an element of. */
export interface TokenValues {
  readonly leaves: readonly ArrayLike<unknown>[];
  readonly lists: readonly ListMoments[] | null;
}

/** How many numbers describe a number, apart from its place in its list. */
const BARE_NUMBER = 4;

const isElement = ({ path }: Signature): boolean => path.split('|')[0].endsWith('[]');

/** The leaves that are numbers. */
const numbersIn = ({ leaves }: Signature): number[] => [...leaves.keys()].filter((k) => leaves[k].kind === 'number');

function writeLeaf(leaf: Leaf, value: unknown, out: Float32Array | Float64Array, to: number): void {
  if (leaf.kind === 'number') {
    const x = leaf.scales[0].squashed(Number(value));
    out[to] = x;
    out[to + 1] = 0.3 * x * x;
    out[to + 2] = 1;
    out[to + 3] = leaf.scales[0].straight(Number(value));
  } else if (leaf.kind === 'vector' && value instanceof Tensor) {
    for (let i = 0; i < leaf.scales.length; i++) out[to + i] = leaf.scales[i].squashed(value.data[i]);
    out[to + leaf.width - 1] = 1;
  } else if (leaf.kind === 'name') out[to + 1 + leaf.names.indexOf(String(value))] = 1;
}
