/**
 * Families of numbers or truth values all of whose parameters are numbers, as functions of numbers alone. Ways of running in
 * which a distribution stands for many draw and score by these, without making a distribution for each.
 */
import type { Random } from '../runtime/random.ts';
import { laidOutApart } from '../v8/own-layout.ts';
import type { FamilyDefinition } from './family.ts';
import { reals, truthValues, wholeNumbers } from './value-kind.ts';

type Definition = FamilyDefinition<Record<string, number>, number | boolean>;

export interface ScalarFamily {
  readonly name: string;
  /** Of the parameters, in the order in which numbers are given. */
  readonly names: readonly string[];
  readonly isContinuous: boolean;
  /** Whether values are truth values. */
  readonly truths: boolean;
  /** Whether there is a distribution with these parameters. */
  accepts(numbers: ArrayLike<number>): boolean;
  /** As the distribution draws; NaN if its parameters are too extreme for that. */
  draw(random: Random, numbers: ArrayLike<number>): number | boolean;
  /** As the distribution scores. */
  score(value: number | boolean, numbers: ArrayLike<number>): number;
}

const known = new WeakMap<object, ScalarFamily | null>();

/** The family with this definition, if it is one of numbers. */
export function scalarFamily(definition: object): ScalarFamily | undefined {
  let found = known.get(definition);
  if (found === undefined) {
    found = isScalar(definition as Definition) ? made(definition as Definition) : null;
    known.set(definition, found);
  }
  return found ?? undefined;
}

/** How a way of running has families of numbers: some by forms of their own, by name, and all others as `made` makes them. */
export function formsOf<F>(
  own: Readonly<Record<string, F>>,
  made: (family: ScalarFamily) => F,
): (definition: object | undefined) => F | undefined {
  const forms = new WeakMap<ScalarFamily, F>();
  return (definition) => {
    const family = definition && scalarFamily(definition);
    if (family === undefined) return undefined;
    let form = forms.get(family);
    if (form === undefined) {
      form = Object.hasOwn(own, family.name) ? own[family.name] : made(family);
      forms.set(family, form);
    }
    return form;
  };
}

const VALUES: readonly unknown[] = [reals, wholeNumbers, truthValues];

function isScalar({ params, values, prepare }: Definition): boolean {
  const kinds = Object.values(params);
  return prepare === undefined && VALUES.includes(values) && kinds.every(({ scalar }) => scalar === true);
}

function made(definition: Definition): ScalarFamily {
  const { name, params: kinds, values, draw, score, check } = definition;
  const { contains } = values;
  const names = Object.keys(kinds);
  const accepts = Object.values(kinds).map((kind) => kind.accepts);
  // One object for all calls, since definitions keep nothing of what they are given.
  const params = laidOutApart<number>(names, new Array<number>(names.length).fill(0));
  const put = (numbers: ArrayLike<number>): Record<string, number> => {
    for (let i = 0; i < names.length; i++) params[names[i]] = numbers[i];
    return params;
  };
  return {
    name,
    names,
    isContinuous: values.continuous,
    truths: (values as unknown) === truthValues,
    accepts(numbers) {
      for (let i = 0; i < accepts.length; i++) if (!accepts[i](numbers[i])) return false;
      return check === undefined || check(put(numbers), undefined) === undefined;
    },
    draw(random, numbers) {
      const drawn = draw(put(numbers), random, undefined);
      return typeof drawn === 'number' ? Math.min(Math.max(drawn, -Number.MAX_VALUE), Number.MAX_VALUE) : drawn;
    },
    score(value, numbers) {
      if (!contains(value)) return -Infinity;
      const found = score(put(numbers), value, undefined);
      return Number.isNaN(found) ? -Infinity : found;
    },
  };
}
