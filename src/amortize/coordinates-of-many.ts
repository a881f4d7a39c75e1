/** Coordinates of a scalar choice that several executions make, each from a distribution of its own or all from one. */
import { Column } from '../lanes/columns/column.ts';
import { type AnyDistribution, distributionAt, LaneDistribution } from '../lanes/columns/distribution.ts';
import type { Distribution } from '../runtime/handler.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { type Coordinate, coordinateOf, type FiniteCoordinate, indexIn } from './coordinates.ts';
import { asNumber, asNumbers, paramFeatures } from './features.ts';
import { listLength, PARAM_FEATURES } from './sizes.ts';

/** A scalar choice of some executions that are of one family and have one head. */
export interface Coordinates {
  readonly count: number;
  readonly family: string;
  /** The kind of head that proposes values for it; `prior` where there is none. */
  readonly head: string;
  /** The first parameters of each prior. */
  readonly params: Float64Array;
  /** Of real numbers: whether coordinates are exact far out in the tails, too (`RealCoordinate`). */
  readonly isOpen: boolean;
  /** The prior that all of them share, if its quantiles take long to compute. */
  readonly slow: Distribution<unknown> | null;
  to(i: number, x: number): number;
  from(i: number, u: number): number;
  /** For whole numbers: ends of the interval of a value, and its log-probability. */
  lower(i: number, x: number): number;
  upper(i: number, x: number): number;
  score(i: number, x: number): number;
  /** For lists: the values of the i-th prior. */
  list(i: number): ListedValues;
}

export interface ListedValues {
  readonly values: readonly unknown[];
  readonly logs: ArrayLike<number>;
  /** The values as numbers; null if one of them is none. */
  readonly numbers: ArrayLike<number> | null;
}

/** The kind of head for a coordinate. */
function headFor(coordinate: Coordinate | null): string {
  if (coordinate === null) return 'prior';
  return coordinate.kind === 'finite' ? `finite${listLength(coordinate.values.length)}` : coordinate.kind;
}

/** The place of a value among those listed. */
export const placeIn = ({ values, logs }: ListedValues, value: unknown): number =>
  indexIn({ kind: 'finite', values, logs }, value);

/** Either one distribution that all executions share, or one for each. */
class Separate implements Coordinates {
  readonly head: string;
  readonly family: string;
  readonly params: Float64Array;
  readonly isOpen: boolean;
  readonly slow: Distribution<unknown> | null;
  private readonly lists = new Map<FiniteCoordinate, ListedValues>();

  constructor(
    private readonly targets: readonly Distribution<unknown>[],
    private readonly coordinates: readonly (Coordinate | null)[],
    readonly count: number,
    family: string,
    head = headFor(coordinates[0]),
  ) {
    this.head = head;
    this.family = family;
    this.params = new Float64Array(count * PARAM_FEATURES);
    this.isOpen = (coordinates[0] as { isOpen?: boolean } | null)?.isOpen === true;
    const [first] = coordinates;
    this.slow = targets.length === 1 && first?.kind === 'real' && !first.isQuick ? targets[0] : null;
    const shared = targets.length === 1 ? paramFeatures(targets[0].params) : null;
    for (let i = 0; i < count; i++) this.params.set(shared ?? paramFeatures(targets[i].params), i * PARAM_FEATURES);
  }

  private at(i: number): never {
    return (this.coordinates.length === 1 ? this.coordinates[0] : this.coordinates[i]) as never;
  }

  to(i: number, x: number): number {
    return (this.at(i) as { to(x: number): number }).to(x);
  }

  from(i: number, u: number): number {
    return (this.at(i) as { from(u: number): number }).from(u);
  }

  lower(i: number, x: number): number {
    return (this.at(i) as { lower(x: number): number }).lower(x);
  }

  upper(i: number, x: number): number {
    return (this.at(i) as { upper(x: number): number }).upper(x);
  }

  score(i: number, x: number): number {
    return this.targets[this.targets.length === 1 ? 0 : i].score(x);
  }

  list(i: number): ListedValues {
    const coordinate: FiniteCoordinate = this.at(i);
    let found = this.lists.get(coordinate);
    if (found === undefined) {
      const { values, logs } = coordinate;
      found = { values, logs, numbers: asNumbers(values) };
      this.lists.set(coordinate, found);
    }
    return found;
  }
}

type Numbers = number | Float64Array;

const numberAt = (numbers: Numbers, i: number): number => (typeof numbers === 'number' ? numbers : numbers[i]);

/** A family whose parameters are columns. */
abstract class ByColumns implements Coordinates {
  abstract readonly head: string;
  readonly isOpen: boolean = false;
  readonly slow = null;
  readonly params: Float64Array;

  constructor(
    readonly family: string,
    readonly count: number,
    protected readonly first: Numbers,
    protected readonly second: Numbers,
  ) {
    this.params = new Float64Array(count * PARAM_FEATURES);
    for (let i = 0; i < count; i++) {
      this.params[i * PARAM_FEATURES] = numberAt(first, i);
      this.params[i * PARAM_FEATURES + 1] = numberAt(second, i);
    }
  }

  to(_i: number, _x: number): number {
    return Number.NaN;
  }
  from(_i: number, _u: number): number {
    return Number.NaN;
  }
  lower(_i: number, _x: number): number {
    return Number.NaN;
  }
  upper(_i: number, _x: number): number {
    return Number.NaN;
  }
  score(_i: number, _x: number): number {
    return Number.NaN;
  }
  list(_i: number): ListedValues {
    throw new Error('no list');
  }
}

class Gaussians extends ByColumns {
  readonly head = 'real';
  override readonly isOpen = true;
  override to(i: number, x: number): number {
    return (x - numberAt(this.first, i)) / numberAt(this.second, i);
  }
  override from(i: number, u: number): number {
    return numberAt(this.first, i) + numberAt(this.second, i) * u;
  }
}

class Uniforms extends ByColumns {
  readonly head = 'real';
  override to(i: number, x: number): number {
    const [a, b] = [numberAt(this.first, i), numberAt(this.second, i)];
    return normalQuantile((x - a) / (b - a));
  }
  override from(i: number, u: number): number {
    const [a, b] = [numberAt(this.first, i), numberAt(this.second, i)];
    return a + (b - a) * normalCdf(u);
  }
}

const TRUTHS: readonly boolean[] = [true, false];
const TRUTH_NUMBERS = [1, 0];

class Flips extends ByColumns {
  readonly head = 'finite2';
  private p = Number.NaN;
  private readonly logs = [0, 0];
  private readonly listed: ListedValues = { values: TRUTHS, logs: this.logs, numbers: TRUTH_NUMBERS };
  override list(i: number): ListedValues {
    const p = numberAt(this.first, i);
    if (p !== this.p) {
      this.p = p;
      this.logs[0] = Math.log(p);
      this.logs[1] = Math.log1p(-p);
    }
    return this.listed;
  }
}

const BY_COLUMNS: Readonly<
  Record<string, readonly [new (f: string, n: number, a: Numbers, b: Numbers) => Coordinates, string, string]>
> = {
  Gaussian: [Gaussians, 'mu', 'sigma'],
  Uniform: [Uniforms, 'a', 'b'],
  Bernoulli: [Flips, 'p', ''],
};

const numbersOf = (value: unknown): Numbers | undefined =>
  value instanceof Column
    ? value.data.slice()
    : typeof value === 'number'
      ? value
      : value === undefined
        ? 0
        : undefined;

/** The coordinates of the executions at these places. If `members` is null, all executions are meant. */
interface Met {
  readonly members: Int32Array | null;
  readonly coordinates: Coordinates;
}

/** The coordinates of a scalar choice of `count` executions, those of one kind together. */
export function coordinatesOf(target: AnyDistribution, count: number, hasGuide = false, family?: string): Met[] {
  const single = !(target instanceof LaneDistribution) && !Array.isArray(target);
  const { name, params } = target as Distribution<unknown>;
  const form = hasGuide || family !== undefined || Array.isArray(target) ? undefined : BY_COLUMNS[name];
  if (form !== undefined) {
    const [Form, first, second] = form;
    const [a, b] = [first, second].map((key) => numbersOf((params as Record<string, unknown>)[key]));
    if (a !== undefined && b !== undefined) return [{ members: null, coordinates: new Form(name, count, a, b) }];
  }
  const own = hasGuide ? 'own' : undefined;
  const known = new Map<Distribution<unknown>, Coordinate | null>();
  const coordinate = (one: Distribution<unknown>): Coordinate | null => {
    if (hasGuide) return null;
    // Executions that pick from a list of distributions share them.
    let found = known.get(one);
    if (found === undefined) {
      found = coordinateOf(one);
      known.set(one, found);
    }
    return found;
  };
  if (single) {
    const one = target as Distribution<unknown>;
    return [{ members: null, coordinates: new Separate([one], [coordinate(one)], count, family ?? name, own) }];
  }
  const targets = Array.from({ length: count }, (_, i) => distributionAt(target, i));
  return apart(targets, targets.map(coordinate), family, own);
}

/** Those of one family and head together. */
function apart(
  targets: readonly Distribution<unknown>[],
  coordinates: readonly (Coordinate | null)[],
  family: string | undefined,
  own: string | undefined,
): Met[] {
  const kinds = new Map<string, number[]>();
  targets.forEach(({ name }, i) => {
    const kind = `${family ?? name} ${own ?? headFor(coordinates[i])}`;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [i]);
    else known.push(i);
  });
  return [...kinds.values()].map((members) => ({
    members: kinds.size === 1 ? null : Int32Array.from(members),
    coordinates: new Separate(
      members.length === 1 ? [targets[members[0]]] : members.map((i) => targets[i]),
      members.length === 1 ? [coordinates[members[0]]] : members.map((i) => coordinates[i]),
      members.length,
      family ?? targets[members[0]].name,
      own,
    ),
  }));
}

/** The chosen values as numbers; NaN for a value that is no number. */
export function numbersOfValues(value: unknown, values: () => readonly unknown[]): Float64Array {
  return value instanceof Column ? value.data.slice() : Float64Array.from(values(), asNumber);
}
