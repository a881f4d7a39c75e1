import type { Distribution, Handler } from '../runtime/handler.ts';
import { type Machine, machine } from '../runtime/machine.ts';
import { fresh, replayed, sample } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
import { laidOutApart } from '../v8/own-layout.ts';
import { fromOwnText, writtenOut } from '../v8/own-text.ts';
import { bounded, type Described, type FamilyDefinition } from './family.ts';
import type { AnyParameter } from './parameter.ts';

/** The lower-case helper of a family: `gaussian({mu, sigma})` or `gaussian(mu, sigma)` makes a choice at once. */
export interface Sampler<Given, V> {
  (params: Given): V;
  (...positional: Given[keyof Given][]): V;
}

type FamilyConstructor<Given, V> = Described & ((params: Given) => Distribution<V>);

export function sampler<Given, V>(family: FamilyConstructor<Given, V>): Sampler<Given, V> {
  const plain = plainDraw(family as never);
  return fromOwnText(family.family.name, makeSampler, samplers, family as never, plain, choosing) as never;
}

type SomeFamily = FamilyConstructor<object, unknown>;
type Accepts = AnyParameter['accepts'];

/** How the runtime is asked for a choice. */
interface Choosing {
  sample(distribution: Distribution<unknown>): unknown;
  replayed(): unknown;
  readonly fresh: unknown;
  isNamed(first: unknown, names: readonly string[]): boolean;
  laidOutApart(names: readonly string[], given: readonly unknown[]): object;
  readonly machine: Machine;
}

const choosing: Choosing = { sample, replayed, fresh, isNamed, laidOutApart, machine };

/** Draws, and tells the handler, without a distribution: of families that work nothing out beforehand and have two parameters at most. */
type PlainDraw = (params: object, random: Random, handler: Handler) => unknown;

/** Null of other families. */
function plainDraw(family: FamilyConstructor<object, unknown>): PlainDraw | null {
  const { name, params, prepare, check, draw, score, values } = family.family as FamilyDefinition<object, unknown>;
  const kinds: AnyParameter[] = Object.values(params);
  const plain =
    prepare === undefined &&
    check === undefined &&
    kinds.length <= 2 &&
    kinds.every((kind) => kind.convert === undefined && !kind.optional);
  if (!plain) return null;
  const scoreOf = (given: object, value: unknown): number => {
    const found = values.contains(value) ? score(given, value, undefined) : family(given).score(value);
    return Number.isNaN(found) ? -Infinity : found;
  };
  return (given, random, handler) => {
    const found = draw(given, random, undefined);
    const drawn = typeof found === 'number' && found - found !== 0 ? bounded(name, found) : found;
    if (handler.drew !== undefined) handler.drew(scoreOf(given, drawn));
    return drawn;
  };
}

/**
 * Copied per family (`fromOwnText`), so it may use nothing but its arguments. Families have up to four parameters. What `begin` does is done,
 * and compiled, for helpers that are called.
 */
function makeSampler(
  family: SomeFamily,
  plain: PlainDraw | null,
  { sample, replayed, fresh, isNamed, laidOutApart, machine }: Choosing,
) {
  type Build = (...positional: unknown[]) => object;
  let build: Build | undefined;
  let names!: readonly string[];
  let accepts0!: Accepts, accepts1!: Accepts;
  function begin(): Build {
    names = Object.keys(family.family.params);
    const [name0, name1, name2, name3] = names;
    [accepts0 = () => true, accepts1 = () => true] = Object.values(family.family.params).map((kind) => kind.accepts);
    build = [
      () => ({}),
      (a: unknown) => ({ [name0]: a }),
      (a: unknown, b: unknown) => ({ [name0]: a, [name1]: b }),
      (a: unknown, b: unknown, c: unknown) => ({ [name0]: a, [name1]: b, [name2]: c }),
      (a: unknown, b: unknown, c: unknown, d: unknown) => ({ [name0]: a, [name1]: b, [name2]: c, [name3]: d }),
    ][names.length] as Build;
    return build;
  }
  // What stands for many executions.
  const apart: Build = (...given) => laidOutApart(names, given);
  if (plain !== null) {
    return (a: unknown, b: unknown): unknown => {
      const built = build ?? begin();
      const { handler } = machine;
      if (handler.onlyDraws === true && typeof a !== 'object' && accepts0(a) && accepts1(b)) {
        machine.effects++;
        return plain(built(a, b), machine.stream.begin(), handler);
      }
      const known = replayed();
      if (known !== fresh) return known;
      const isGiven = b === undefined && isNamed(a, names);
      const make = machine.columns === null ? built : apart;
      return sample(family(isGiven ? (a as object) : make(a, b)));
    };
  }
  return (a: unknown, b: unknown, c: unknown, d: unknown): unknown => {
    const known = replayed();
    if (known !== fresh) return known;
    const built = build ?? begin();
    const isGiven = b === undefined && isNamed(a, names);
    const make = machine.columns === null ? built : apart;
    return sample(family(isGiven ? (a as object) : make(a, b, c, d)));
  };
}

const samplers = writtenOut(makeSampler);

/** A lone object is the named form, unless it is itself the (tensor, array …) value of the first parameter. */
function isNamed(first: unknown, names: readonly string[]): boolean {
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return false;
  return Object.getPrototypeOf(first) === Object.prototype || names.some((name) => name in first);
}
