/**
 * Distributions under gradients: parameters or values are graph nodes, scores are recorded. The definitions are the
 * lifted text of the families' own files, so there is no second definition to keep in step.
 */
import { BaseDistribution } from '../distributions/distribution.ts';
import type { FamilyDefinition } from '../distributions/family.ts';
import * as plainFamilies from '../distributions/index.ts';
import * as liftedFamilies from '../distributions/index.ts?lifted';
import { WaymarkError } from '../runtime/errors.ts';
import { force, settled } from '../runtime/force.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Random } from '../runtime/random.ts';
import { Node } from '../tensor/node.ts';
import { select } from '../tensor/ops.ts';
import { operators } from './operators.ts';
import { entry } from './tensors.ts';

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

const plainDefinitions = definitions(plainFamilies);
const liftedDefinitions = definitions(liftedFamilies);

/** A distribution of a family some of whose parameters are nodes. */
export class LiftedDistribution extends BaseDistribution<unknown> {
  readonly name: string;
  readonly isContinuous: boolean;
  readonly prepared: unknown;
  /** As for plain distributions: absent where the family has none. */
  readonly base?: () => Distribution<unknown>;
  readonly transform?: (noise: unknown) => unknown;

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
    }
    if (lifted.support !== undefined) this.support = () => lifted.support!(params, this.prepared) as Interval;
  }

  /** A plain value, drawn with the parameters as they are now. */
  draw(random: Random): unknown {
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

/** Checks what can be told without looking at values: a scalar where a number is expected, axes where a tensor is. */
function checkParameters(definition: Definition, given: Params): void {
  for (const [name, kind] of Object.entries(definition.params)) {
    const value = given[name];
    if (!(value instanceof Node)) {
      if (kind.accepts(value)) continue;
      throw new WaymarkError(`${definition.name}: ${name} must be ${kind.expected}.`);
    }
    const scalar = value.shape.length === 0;
    if (scalar === (kind.domain.kind === 'real')) continue;
    throw new WaymarkError(
      `${definition.name}: ${name} must be ${kind.expected}, got a value of shape [${value.shape.join(', ')}].`,
    );
  }
}

lifting.current = {
  isLifted: (value) => value instanceof Node,

  binary: (operator, a, b) =>
    (operators as unknown as Record<string, (a: unknown, b: unknown) => unknown>)[operator](a, b),

  select: (condition, a, b) => select(condition as Node, a, b) as unknown as number,

  element: (object, index) => entry(object as Node, index),

  distribution(name, given) {
    const params = { ...given } as Params;
    if (!Object.values(params).some((value) => value instanceof Node)) return undefined;
    const plain = plainDefinitions.get(name);
    const lifted = liftedDefinitions.get(name);
    if (plain === undefined || lifted === undefined) return undefined;
    for (const [key, kind] of Object.entries(plain.params)) {
      const value = params[key];
      // What a family needs as a plain value (a count, a bound, dims) is looked at here.
      if (value instanceof Node && kind.domain.kind === 'fixed') params[key] = force(value);
      else if (!(value instanceof Node) && kind.convert !== undefined && kind.accepts(value)) {
        params[key] = kind.convert(value as never);
      }
    }
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
};
