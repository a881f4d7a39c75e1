/** Distributions whose parameters depend on choices, and scores of values that do. */
import { familiesOver, type Make, type Params } from '../../algebra/families.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import {
  fromNode,
  isNumeric,
  isTruth,
  markRebuilt,
  type Numeric,
  nodeOf,
  opaque,
  recordedDomain,
  tape,
} from './recorded.ts';
import { type RecordedFamily, recordedFamily } from './scores.ts';

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

const asked = (what: string): OneByOne =>
  new OneByOne('family', `the host asks for ${what} of a distribution that depends on choices`);

export const { constructorOf, scoreOf, methodOf } = familiesOver<RecordedFamily, RecordedDistribution, number, Numeric>(
  {
    ...recordedDomain,
    isNumeric,
    isTruth: isTruth as (value: unknown) => boolean,
    formOf: recordedFamily,
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
      tape().check(nodeOf(opaque((given) => make(given) !== undefined, [params])));
      return new RecordedDistribution(name, params as Params, make);
    },
    severalOf: (value) => (value instanceof RecordedDistribution ? value : undefined),
    isSeveral: (distribution) => distribution instanceof RecordedDistribution,
    score: recordedScore,
    scoreOfEach: (distribution, value) =>
      opaque((given, x) => (given as Distribution<unknown>).score(x), [distribution, value]),
    scored: (score) => score,
  },
);

function recordedScore(family: RecordedFamily, x: number, params: readonly number[]): Numeric {
  const recorder = tape();
  const score = family.score(recorder, x, ...params);
  if (family.truths) return fromNode(score, false);
  return fromNode(recorder.operate('select', recorder.finite(x), score, recorder.constant(-Infinity)), false);
}
