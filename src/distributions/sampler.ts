import type { Distribution } from '../runtime/handler.ts';
import { type Machine, machine } from '../runtime/machine.ts';
import { fresh, replayed, sample } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
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
  const plain = plainDraw(family.family as never);
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
  readonly machine: Machine;
}

const choosing: Choosing = { sample, replayed, fresh, isNamed, machine };

/** How a family draws that works nothing out beforehand and has two parameters at most. Null of other families. */
type PlainDraw = (params: object, random: Random) => unknown;

function plainDraw(definition: FamilyDefinition<Record<string, unknown>, unknown>): PlainDraw | null {
  const { name, params, prepare, check } = definition;
  const kinds = Object.values(params);
  const plain =
    prepare === undefined &&
    check === undefined &&
    kinds.length <= 2 &&
    kinds.every((kind) => kind.convert === undefined && !kind.optional);
  if (!plain) return null;
  const draw = definition.draw as unknown as PlainDraw;
  return (params, random) => {
    const drawn = draw(params, random);
    return typeof drawn === 'number' && drawn - drawn !== 0 ? bounded(name, drawn) : drawn;
  };
}

/**
 * Copied per family (`fromOwnText`), so it may use nothing but its arguments. Families have up to four parameters. What `begin` does is done,
 * and compiled, for helpers that are called.
 */
function makeSampler(
  family: SomeFamily,
  plain: PlainDraw | null,
  { sample, replayed, fresh, isNamed, machine }: Choosing,
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
  if (plain !== null) {
    return (a: unknown, b: unknown): unknown => {
      const built = build ?? begin();
      if (machine.handler.onlyDraws === true && typeof a !== 'object' && accepts0(a) && accepts1(b)) {
        machine.effects++;
        return plain(built(a, b), machine.stream.begin());
      }
      const known = replayed();
      if (known !== fresh) return known;
      return sample(family(b === undefined && isNamed(a, names) ? (a as object) : built(a, b)));
    };
  }
  return (a: unknown, b: unknown, c: unknown, d: unknown): unknown => {
    const known = replayed();
    if (known !== fresh) return known;
    const built = build ?? begin();
    return sample(family(b === undefined && isNamed(a, names) ? (a as object) : built(a, b, c, d)));
  };
}

const samplers = writtenOut(makeSampler);

/** A lone object is the named form, unless it is itself the (tensor, array …) value of the first parameter. */
function isNamed(first: unknown, names: readonly string[]): boolean {
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return false;
  return Object.getPrototypeOf(first) === Object.prototype || names.some((name) => name in first);
}
