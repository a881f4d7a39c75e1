/** Distributions whose parameters depend on choices, and scores of values that do. */
import { familiesOver, type Make, type Params } from '../../algebra/families.ts';
import { fewValues } from '../../distributions/of-family.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import {
  fromNode,
  holdsRecorded,
  isNumeric,
  isTruth,
  markRebuilt,
  type Numeric,
  nodeOf,
  opaque,
  operate,
  Recorded,
  recordedDomain,
  tableOf,
  tape,
} from './recorded.ts';
import { type RecordedFamily, recordedFamily } from './scores.ts';
import { ofTables } from './tables.ts';

/** Stands for a distribution whose parameters depend on choices. */
export class RecordedDistribution implements Distribution<unknown> {
  constructor(
    readonly name: string,
    readonly params: Params,
    private readonly make: Make & { readonly family?: object },
  ) {
    markRebuilt(this);
  }

  get family(): object | undefined {
    return this.make.family;
  }

  get parts(): unknown {
    return this.params;
  }

  /** The same family with other parameters, which were checked. */
  with(params: Params): RecordedDistribution {
    return new RecordedDistribution(this.name, params, this.make);
  }

  rebuild(params: unknown): Distribution<unknown> {
    return this.make(params);
  }

  get isContinuous(): never {
    throw asked('isContinuous');
  }

  draw(): never {
    throw asked('draw');
  }

  score(): never {
    throw asked('score');
  }
}

/** One of two distributions, as a condition says. */
export class OneOfTwo extends RecordedDistribution {
  constructor(
    private readonly condition: Numeric,
    private readonly first: Distribution<unknown>,
    private readonly second: Distribution<unknown>,
  ) {
    super(`${first.name} or ${second.name}`, {}, () => first);
  }

  override get family(): undefined {
    return undefined;
  }

  override get parts(): unknown {
    return [this.condition, this.first, this.second];
  }

  override rebuild(parts: unknown): Distribution<unknown> {
    const [isFirst, first, second] = parts as [boolean, Distribution<unknown>, Distribution<unknown>];
    return isFirst ? first : second;
  }

  /** The one of them that the execution has, where they are of two families: an earlier value is not taken over from another. */
  ofOneFamily(): Distribution<unknown> {
    const [first, second] = [oneFamily(this.first), oneFamily(this.second)];
    if (familyOf(first) === familyOf(second)) return this;
    return recordedDomain.look(this.condition) ? first : second;
  }

  /** The family of both, where they are of one. */
  get familyName(): string {
    return familyOf(this.first);
  }

  /** The score of a value, from what each of them scores. */
  scored(of: (distribution: Distribution<unknown>) => Numeric): Numeric {
    return operate('select', false, this.condition, of(this.first), of(this.second));
  }
}

const familyOf = (distribution: Distribution<unknown>): string =>
  distribution instanceof OneOfTwo ? distribution.familyName : distribution.name;

/** A choice's distribution as far as it is of one family: which of several it is, is looked at. */
export function oneFamily(distribution: Distribution<unknown>): Distribution<unknown> {
  if (distribution instanceof OneOfTwo) return distribution.ofOneFamily();
  const among = tableOf(distribution)?.values as readonly Distribution<unknown>[] | undefined;
  if (among === undefined || among.every((one) => familyOf(one) === familyOf(among[0]))) return distribution;
  return recordedDomain.look(distribution) as Distribution<unknown>;
}

/** A distribution of more values is scored by its family. */
const MOST_VALUES = 16;

/** The score of a number by a distribution of few numbers, selected from their scores; undefined of another distribution. */
function scoreAmong(distribution: Distribution<unknown>, { node, isTruth: asTruth }: Recorded): Numeric | undefined {
  const values = fewValues(distribution, MOST_VALUES);
  const kind = asTruth ? 'boolean' : 'number';
  if (values === undefined || !values.every((one) => typeof one === kind)) return undefined;
  const t = tape();
  let found = t.constant(-Infinity);
  for (const one of values) {
    const isThis = t.operate('eq', node, t.constant(Number(one)));
    found = t.operate('select', isThis, t.constant(distribution.score(one)), found);
  }
  return fromNode(found, false);
}

/** Distributions for all values of tables among their parameters; undefined if something else depends on choices. */
function madeOfTables(make: Make, params: Params): { readonly value: unknown } | undefined {
  const names = Object.keys(params);
  return ofTables(
    (...given) => make(Object.fromEntries(names.map((name, i) => [name, given[i]]))),
    names.map((name) => params[name]),
  );
}

/** How a distribution is made again where its family has no form here. Set by `later-values.ts`. */
export const makingDistribution: { later(name: string, params: Params, make: Make): unknown } = {
  later(name) {
    throw new OneByOne('family', `parameters of ${name} depend on choices`);
  },
};

const asked = (what: string): OneByOne =>
  new OneByOne('family', `host code asks for ${what} of a distribution that depends on choices`);

/** The score that each of several distributions gives. */
function scoreOfEach(distribution: RecordedDistribution | Distribution<unknown>, value: unknown): Numeric {
  if (distribution instanceof OneOfTwo) return distribution.scored((one) => scoreOf(one, value));
  const table = tableOf(distribution) ?? (distribution instanceof RecordedDistribution ? undefined : tableOf(value));
  if (table !== undefined)
    return table.derive((one) =>
      table === tableOf(distribution) ? scoreOf(one as Distribution<unknown>, value) : distribution.score(one),
    ) as Numeric;
  if (value instanceof Recorded && !holdsRecorded(distribution)) {
    const listed = scoreAmong(distribution, value);
    if (listed !== undefined) return listed;
  }
  return opaque((given, x) => (given as Distribution<unknown>).score(x), [distribution, value]);
}

export const { constructorOf, scoreOf, methodOf, formOf } = familiesOver<
  RecordedFamily,
  RecordedDistribution,
  number,
  Numeric
>({
  ...recordedDomain,
  isNumeric,
  isTruth: isTruth as (value: unknown) => boolean,
  // (Distributions of a table may be of different families.)
  formOf: (definition) => (tableOf(definition) === undefined ? recordedFamily(definition) : undefined),
  operand: nodeOf as (value: unknown) => number,
  distribution(form, name, params, make) {
    const nodes = form.names.map((parameter) => nodeOf(params[parameter] as Numeric));
    for (const node of form.accepts(tape(), ...nodes)) tape().check(node);
    return new RecordedDistribution(name, params, make);
  },
  madeForEach(name, make, args) {
    const [params] = args;
    if (args.length !== 1 || !isRecord(params))
      throw new OneByOne('family', `${name} is not given an object of parameters`);
    const made = madeOfTables(make, params as Params);
    if (made !== undefined) return made.value;
    return makingDistribution.later(name, params as Params, make);
  },
  severalOf(value) {
    const isSeveral = value instanceof RecordedDistribution || tableOf(value)?.values.every(isDistribution);
    return isSeveral ? (value as RecordedDistribution) : undefined;
  },
  isSeveral: (distribution): distribution is RecordedDistribution =>
    distribution instanceof RecordedDistribution || tableOf(distribution) !== undefined,
  score: recordedScore,
  scoreOfEach,
  scored: (score) => score,
});

function recordedScore(family: RecordedFamily, x: number, params: readonly number[]): Numeric {
  const recorder = tape();
  const score = family.score(recorder, x, ...params);
  if (family.truths) return fromNode(score, false);
  return fromNode(recorder.operate('select', recorder.finite(x), score, recorder.constant(-Infinity)), false);
}
