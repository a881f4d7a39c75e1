import type { Distribution } from '../runtime/handler.ts';
import { type Machine, machine } from '../runtime/machine.ts';
import { fresh, replayed, sample } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
import { fromOwnText, writtenOut } from '../v8/own-text.ts';
import { bounded, type Described, type FamilyDefinition } from './family.ts';

/** The lower-case helper of a family: `gaussian({mu, sigma})` or `gaussian(mu, sigma)` makes a choice at once. */
export interface Sampler<Given, V> {
  (params: Given): V;
  (...positional: Given[keyof Given][]): V;
}

type FamilyConstructor<Given, V> = Described & ((params: Given) => Distribution<V>);

export function sampler<Given, V>(family: FamilyConstructor<Given, V>): Sampler<Given, V> {
  const { name, params } = family.family;
  const names = Object.keys(params);
  const choose = { sample, replayed, fresh, isNamed, machine } as never;
  const plain = plainDraw(family.family as never);
  return fromOwnText(name, makeSampler, samplers, family as never, names, plain, choose) as never;
}

/** How the runtime is asked for a choice. */
interface Choosing {
  sample(distribution: Distribution<unknown>): unknown;
  replayed(): unknown;
  readonly fresh: unknown;
  isNamed(first: unknown, names: readonly string[]): boolean;
  readonly machine: Machine;
}

/** How a family draws that works nothing out beforehand: checks of its parameters, and the draw. Null of other families. */
interface PlainDraw {
  readonly accepts: readonly ((value: unknown) => boolean)[];
  draw(params: object, random: Random): unknown;
}

function plainDraw(definition: FamilyDefinition<Record<string, unknown>, unknown>): PlainDraw | null {
  const kinds = Object.values(definition.params);
  const plain =
    definition.prepare === undefined &&
    definition.check === undefined &&
    kinds.length <= 2 &&
    kinds.every((kind) => kind.convert === undefined && !kind.optional);
  if (!plain) return null;
  const { name } = definition;
  const draw = definition.draw as unknown as PlainDraw['draw'];
  return {
    accepts: kinds.map((kind) => kind.accepts),
    draw(params, random) {
      const drawn = draw(params, random);
      return typeof drawn === 'number' && drawn - drawn !== 0 ? bounded(name, drawn) : drawn;
    },
  };
}

/** Copied per family (`fromOwnText`), so it may use nothing but its arguments. Families have up to four parameters. */
function makeSampler(
  family: (params: object) => Distribution<unknown>,
  names: readonly string[],
  plain: PlainDraw | null,
  { sample, replayed, fresh, isNamed, machine }: Choosing,
) {
  const [name0, name1, name2, name3] = names;
  const build = [
    () => ({}),
    (a: unknown) => ({ [name0]: a }),
    (a: unknown, b: unknown) => ({ [name0]: a, [name1]: b }),
    (a: unknown, b: unknown, c: unknown) => ({ [name0]: a, [name1]: b, [name2]: c }),
    (a: unknown, b: unknown, c: unknown, d: unknown) => ({ [name0]: a, [name1]: b, [name2]: c, [name3]: d }),
  ][names.length] as (...positional: unknown[]) => object;
  if (plain !== null) {
    const { draw } = plain;
    const [accepts0, accepts1 = () => true] = plain.accepts;
    return (a: unknown, b: unknown): unknown => {
      if (machine.handler.onlyDraws === true && typeof a !== 'object' && accepts0(a) && accepts1(b)) {
        machine.effects++;
        return draw(build(a, b), machine.stream.begin());
      }
      const known = replayed();
      if (known !== fresh) return known;
      return sample(family(b === undefined && isNamed(a, names) ? (a as object) : build(a, b)));
    };
  }
  return (a: unknown, b: unknown, c: unknown, d: unknown): unknown => {
    const known = replayed();
    if (known !== fresh) return known;
    return sample(family(b === undefined && isNamed(a, names) ? (a as object) : build(a, b, c, d)));
  };
}

const samplers = writtenOut(makeSampler);

/** A lone object is the named form, unless it is itself the (tensor, array …) value of the first parameter. */
function isNamed(first: unknown, names: readonly string[]): boolean {
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return false;
  return Object.getPrototypeOf(first) === Object.prototype || names.some((name) => name in first);
}
