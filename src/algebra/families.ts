/**
 * Distributions whose parameters stand for others, and scores of values that do, written once for columns and tapes.
 * Families of numbers have a _form_ in each of them, made from the family's definition (`distributions/scalar-family.ts`):
 * how it draws, scores and checks its parameters. Where a family has no form, or is given something else than numbers, each
 * one has a distribution of its own. In the graph families know of nodes themselves (`lifting/distribution.ts`).
 */
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';
import type { Domain, Fn } from './domain.ts';

export type Params = Readonly<Record<string, unknown>>;
export type Make = (...args: unknown[]) => Distribution<unknown>;

/** What every form of a family has. */
export interface FamilyForm {
  /** Names of the parameters, in the order in which the form takes them. */
  readonly names: readonly string[];
  /** Whether the values drawn are truth values. */
  readonly truths: boolean;
}

/** `D` is the type of distributions that stand for others, `N` of numbers as forms take them, `S` of the scores they give. */
interface FamilyDomain<F extends FamilyForm, D, N, S> extends Domain {
  isNumeric(value: unknown): boolean;
  /** Whether a numeric value is a truth value. */
  isTruth(value: unknown): boolean;
  formOf(definition: object | undefined): F | undefined;
  operand(numeric: unknown): N;
  /** A distribution of a family with a form. Checks first that the parameters of each one are right. */
  distribution(form: F, name: string, params: Params, make: Make): unknown;
  /** The same for any other family: its constructor is called for each one. */
  madeForEach(name: string, make: Make, args: readonly unknown[]): unknown;
  /** The distributions that a value stands for; undefined if it is something else. */
  severalOf(value: unknown): D | undefined;
  /** Whether it stands for several distributions. */
  isSeveral(distribution: D | Distribution<unknown>): distribution is D;
  score(form: F, value: N, params: readonly N[]): S;
  /** The score that each one's own distribution gives. */
  scoreOfEach(distribution: D | Distribution<unknown>, value: unknown): S;
  /** Scores as the program sees them. */
  scored(score: S | number): unknown;
}

export function familiesOver<F extends FamilyForm, D, N, S>(domain: FamilyDomain<F, D, N, S>) {
  const { isNumeric, isTruth, operand, isSeveral } = domain;
  type Any = D | Distribution<unknown>;

  /** The form of a distribution's family, if it has one. Programs may make distributions of their own, without a family. */
  const formOf = (distribution: Any): F | undefined =>
    domain.formOf((distribution as { readonly family?: object }).family);

  /** Parameters as the form takes them; undefined if they are not all numbers. */
  function operandsOf({ names }: F, params: Params): N[] | undefined {
    const found: N[] = [];
    for (const name of names) {
      const value = params[name];
      if (!isNumeric(value) || isTruth(value)) return undefined;
      found.push(operand(value));
    }
    return found;
  }

  /** A value of another kind is left to the family's own score. */
  const isOfKind = (value: unknown, { truths }: F): boolean => isNumeric(value) && isTruth(value) === truths;

  /** The score of a value. */
  function scoreOf(distribution: Any, value: unknown): S | number {
    if (!isSeveral(distribution) && !domain.holds(value)) return distribution.score(value);
    const form = formOf(distribution);
    if (form !== undefined && isOfKind(value, form)) {
      const given = operandsOf(form, (distribution as Distribution<unknown>).params as Params);
      if (given !== undefined) return domain.score(form, operand(value), given);
    }
    return domain.scoreOfEach(distribution, value);
  }

  return {
    formOf,
    operandsOf,
    isOfKind,
    scoreOf,

    /** A constructor whose parameters may stand for others. */
    constructorOf(name: string, make: Make & { readonly family?: object }): Fn {
      const form = domain.formOf(make.family);
      return (...args) => {
        if (!args.some(domain.holds)) return make(...args);
        const [params] = args;
        const isKnown =
          form !== undefined &&
          args.length === 1 &&
          isRecord(params) &&
          !domain.isMine(params) &&
          Object.keys(params).length === form.names.length &&
          operandsOf(form, params as Params) !== undefined;
        return isKnown ? domain.distribution(form, name, params as Params, make) : domain.madeForEach(name, make, args);
      };
    },

    /** A method of a distribution. Of one that stands for others, no more is known than its score. */
    methodOf(object: unknown, key: PropertyKey): Fn | undefined {
      const several = domain.severalOf(object);
      if (several === undefined && !(key === 'score' && isDistribution(object))) return undefined;
      if (key !== 'score') throw new OneByOne('family', `${String(key)} of a distribution that differs is asked for`);
      return (value) => domain.scored(scoreOf(several ?? (object as Distribution<unknown>), value));
    },
  };
}
