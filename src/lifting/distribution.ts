/**
 * Distributions under gradients: parameters or values are graph nodes, scores are recorded. The definitions are the
 * lifted text of the families' own files, so there is no second definition to keep in step.
 */
import { BaseDistribution, type Scored } from '../distributions/distribution.ts';
import type { FamilyDefinition } from '../distributions/family.ts';
import { unknownName } from '../distributions/family-errors.ts';
import * as plainFamilies from '../distributions/index.ts';
import * as liftedFamilies from '../distributions/index.ts?lifted';
import type { AnyParameter } from '../distributions/parameter.ts';
import type { WrappingFamily } from '../distributions/wrapping-family.ts';
import { recallInLanes } from '../lanes/memo.ts';
import { narrowed } from '../lanes/narrowing.ts';
import { differs, holdsNode, vectorInLanes } from '../lanes/value.ts';
import { agreedValue, variedOf } from '../lanes/varied.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { force, settled } from '../runtime/force.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import type { Random } from '../runtime/random.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { branch } from './conditions.ts';
import { lostGradient } from './lost-gradients.ts';
import { operators } from './operators.ts';
import { liftedTable } from './tables.ts';
import { tensorFamilies } from './tensor-families.ts';
import { column, entry, meetsNode, stackOf } from './tensor-nodes.ts';
import { entropyOf, mostProbable } from './weighed-values.ts';

type Definition = FamilyDefinition<Record<string, unknown>, unknown>;
type Params = Record<string, unknown>;

function definitions(families: object): Map<string, Definition> {
  const table = new Map<string, Definition>();
  for (const made of Object.values(families)) {
    const definition = (made as { family?: Definition } | undefined)?.family;
    if (definition?.score !== undefined) table.set(definition.name, definition);
  }
  return table;
}

/** The lifted text of the families' files, or what stands in its place for those that loop over elements. */
function recordedDefinitions(): Map<string, Definition> {
  const table = definitions(liftedFamilies);
  for (const [name, own] of tensorFamilies) table.set(name, { ...(table.get(name) as Definition), ...own });
  return table;
}

const plainDefinitions = definitions(plainFamilies);
const liftedDefinitions = recordedDefinitions();

/** A distribution of a family some of whose parameters are nodes. */
class LiftedDistribution extends BaseDistribution<unknown> {
  readonly name: string;
  readonly isContinuous: boolean;
  readonly prepared: unknown;
  /** As for plain distributions: absent where the family has none. */
  readonly base?: () => Distribution<unknown>;
  readonly transform?: (noise: unknown) => unknown;
  /** The score of the value that noise is transformed to, where the noise gives it sooner. */
  readonly scoreOfNoise?: (noise: unknown) => number;

  constructor(
    readonly family: Definition,
    private readonly lifted: Definition,
    readonly params: Params,
  ) {
    super();
    this.name = family.name;
    this.isContinuous = family.values.continuous;
    this.prepared = lifted.prepare?.(params);
    const { reparameterisation } = lifted;
    if (reparameterisation !== undefined) {
      this.base = () => reparameterisation.base(params, this.prepared);
      this.transform = (noise) => reparameterisation.transform(params, noise, this.prepared);
      const { score } = reparameterisation;
      if (score !== undefined) this.scoreOfNoise = (noise) => score(params, noise, this.prepared);
    }
    if (lifted.support !== undefined) this.support = () => lifted.support!(params, this.prepared) as Interval;
    this.addClosedForms();
  }

  /** In nats; a family over finitely many values need not know it in closed form. */
  override entropy(): number {
    return entropyOf(this.finiteSupport('entropy').map((value) => this.score(value))) as number;
  }

  override toJSON(): { probs: number[]; support: readonly unknown[] } {
    const support = this.finiteSupport('toJSON');
    return { probs: support.map((value) => ops.exp(this.score(value)) as number), support };
  }

  override MAP(): Scored<unknown> {
    const values = this.finiteSupport('MAP');
    const scores = values.map((value) => this.score(value));
    return mostProbable(values, scores);
  }

  /** Closed forms of the family, with gradients. */
  private addClosedForms(): void {
    const { lifted, params, prepared } = this;
    const methods = this as unknown as Record<string, unknown>;
    for (const moment of ['mean', 'variance', 'entropy'] as const) {
      const known = lifted[moment];
      if (known !== undefined) methods[moment] = () => known(params, prepared);
    }
    for (const method of ['cdf', 'survival', 'quantile'] as const) {
      const known = lifted[method];
      if (known !== undefined) methods[method] = (argument: number) => known(params, argument, prepared);
    }
  }

  /** A plain value, drawn with the parameters as they are now. */
  draw(random: Random): unknown {
    if (machine.handler.lifted !== true) lostGradient('a draw', this.params);
    return this.plain().draw(random);
  }

  /** The same distribution with the parameters' values: looks at all of them. */
  plain(): Distribution<unknown> {
    const make = (plainFamilies as unknown as Record<string, (params: object) => Distribution<unknown>>)[this.name];
    return make(settled(this.params) as object);
  }

  score(value: unknown): number {
    return scoreLifted(this.family, this.lifted, this.params, value, this.prepared);
  }
}

function scoreLifted(plain: Definition, lifted: Definition, params: Params, value: unknown, prepared: unknown): number {
  if (!(value instanceof Node) && !plain.values.contains(value)) return -Infinity;
  return lifted.score(params, value, prepared as never);
}

/** Checks what can be checked without plain values: a scalar where a number is expected, axes where a tensor is. */
function checkParameters(definition: Definition, given: Params): void {
  for (const name in given) {
    if (Object.hasOwn(definition.params, name)) continue;
    throw new WaymarkError(unknownName(definition.name, Object.keys(definition.params), name));
  }
  for (const [name, kind] of Object.entries(definition.params)) {
    const value = given[name];
    if (!(value instanceof Node)) {
      if (kind.accepts(value)) continue;
      throw new WaymarkError(`${definition.name}: ${name} must be ${kind.expected}.`);
    }
    const scalar = value.shape.length === 0;
    if (scalar === expectsNumber(kind)) continue;
    throw new WaymarkError(
      `${definition.name}: ${name} must be ${kind.expected}, got a value of shape [${value.shape.join(', ')}].`,
    );
  }
}

const expectsNumber = (kind: AnyParameter): boolean => kind.domain.kind === 'real' || kind.accepts(0.5);

/** A parameter as a lifted distribution holds it. */
function parameterOf(kind: AnyParameter, value: unknown): unknown {
  // An array that choices pick from a list is a vector where all of these are.
  if (Array.isArray(value) && variedOf(value)?.by !== undefined && !isFixed(kind)) return vectorInLanes(value) ?? value;
  // Numbers in an array, some of them nodes, are a vector.
  if (Array.isArray(value) && meetsNode(value) && !isFixed(kind)) return column(stackOf(value as Value[]));
  // A parameter that a family needs as a plain value (a count, dims) is made one here.
  if (value instanceof Node) return isFixed(kind) ? force(value) : value;
  return kind.convert !== undefined && kind.accepts(value) ? kind.convert(value as never) : value;
}

/** Whether a list, or something in it, differs between lanes and is no number. */
function holdsTable(list: unknown): boolean {
  if (variedOf(list) !== undefined) return true;
  return Array.isArray(list) && list.some((item) => variedOf(item) !== undefined);
}

const isFixed = ({ domain }: AnyParameter): boolean => domain.kind === 'fixed' && !domain.smooth;

/** A distribution made of another one, whose parameters, or the other one's, may be nodes; undefined for those that are refused. */
function liftedWrapping(name: string, given: Params): Distribution<unknown> | undefined {
  const family = (liftedFamilies as unknown as Record<string, { family?: Partial<WrappingFamily<Params, object>> }>)[
    name
  ]?.family;
  if (family?.make === undefined) return undefined;
  const fits = ([key, kind]: [string, AnyParameter]): boolean => {
    const value = given[key];
    return value instanceof Node ? value.shape.length === 0 : kind.accepts(value);
  };
  if (!Object.entries(family.params!).every(fits) || Object.keys(given).some((key) => !(key in family.params!)))
    return undefined;
  const { make } = (
    plainFamilies as unknown as Record<string, { family: WrappingFamily<Params, Distribution<unknown>> }>
  )[name].family;
  const plain = (): Distribution<unknown> => make({ ...(settled(given) as Params), dist: plainOf(given.dist) });
  return Object.assign(family.make(given), { plain, draw: (random: Random) => plain().draw(random) }) as never;
}

const plainOf = (dist: unknown): unknown => (dist as { plain?(): unknown }).plain?.() ?? dist;

lifting.current = {
  ops,

  isLifted: (value) => value instanceof Node,

  holds: (value) => holdsNode(value) || differs(value),

  binary: (operator, a, b) =>
    (operators as unknown as Record<string, (a: unknown, b: unknown) => unknown>)[operator](a, b),

  select: (condition, a, b) => ops.select(condition as Node, a, b) as unknown as number,

  branch,

  element: (object, index) => entry(object as Node, index),

  agreed: agreedValue,
  recalled: recallInLanes,

  vectorInLanes,
  narrowed,

  distribution(name, given) {
    const { vs } = given as { vs?: unknown };
    if (name === 'Categorical' && holdsTable(vs)) {
      const values = (agreedValue(vs) as readonly unknown[]).map(agreedValue);
      return plainFamilies.Categorical({ ...given, vs: values } as never) as Distribution<unknown>;
    }
    const ownClass = liftedTable(name, given) ?? liftedWrapping(name, given as Params);
    if (ownClass !== undefined) return ownClass;
    const params = { ...given } as Params;
    if (!meetsNode(Object.values(params))) return undefined;
    const plain = plainDefinitions.get(name);
    const lifted = liftedDefinitions.get(name);
    if (plain === undefined || lifted === undefined) return undefined;
    for (const key of Object.keys(plain.params)) params[key] = parameterOf(plain.params[key], params[key]);
    checkParameters(plain, params);
    return new LiftedDistribution(plain, lifted, params);
  },

  score(name, params, value, prepared) {
    const plain = plainDefinitions.get(name);
    const lifted = liftedDefinitions.get(name);
    if (plain === undefined || lifted === undefined) {
      throw new WaymarkError(`${name} cannot score a value under gradients.`);
    }
    return scoreLifted(plain, lifted, params as Params, value, prepared);
  },

  transform(name, params, noise) {
    const { reparameterisation, prepare } = liftedDefinitions.get(name)!;
    return reparameterisation!.transform(params as Params, noise, prepare?.(params as Params) as never) as never;
  },

  closedForm(name, method, params, argument, prepared) {
    const known = liftedDefinitions.get(name)?.[method];
    if (known === undefined) {
      throw new WaymarkError(
        `${method} of ${name} is not available under gradients: give it a number that is no choice.`,
      );
    }
    return known(params as Params, argument as number, prepared);
  },
};
