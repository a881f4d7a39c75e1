/** Distributions whose parameters depend on choices, and scores of values that do. */
import type { Distribution } from '../../runtime/handler.ts';
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
  recording,
  tape,
} from './recorded.ts';
import { type RecordedFamily, recordedFamily } from './scores.ts';

type Make = (...args: unknown[]) => Distribution<unknown>;
type Params = Readonly<Record<string, unknown>>;

/** Looks like any other distribution; which one it is depends on choices. */
export class RecordedDistribution implements Distribution<unknown> {
  constructor(
    readonly name: string,
    readonly params: Params,
    private readonly make: Make,
    readonly family: object | undefined,
  ) {
    markRebuilt(this);
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

/** The parameters as nodes, if all of them are numbers. */
function nodesOf(family: RecordedFamily, params: Params): number[] | undefined {
  const nodes: number[] = [];
  for (const name of family.names) {
    const value = params[name];
    if (!isNumeric(value) || isTruth(value)) return undefined;
    nodes.push(nodeOf(value));
  }
  return nodes;
}

/** A constructor that takes recorded values for parameters. */
export function constructorOf(name: string, make: Make): Make {
  const definition = (make as { family?: object }).family;
  const family = recordedFamily(definition);
  return (...args) => {
    const [params] = args;
    if (recording.tape === null || !args.some(holdsRecorded)) return make(...args);
    if (args.length !== 1 || !isRecord(params))
      throw new OneByOne('family', `${name} is not given an object of parameters`);
    const nodes = family === undefined ? undefined : nodesOf(family, params);
    if (nodes !== undefined && Object.keys(params).length === nodes.length) {
      for (const node of family!.accepts(recording.tape, ...nodes)) recording.tape.check(node);
    } else {
      tape().check(nodeOf(opaque((given) => make(given) !== undefined, [params])));
    }
    return new RecordedDistribution(name, params, make, definition);
  };
}

/** The log-probability of a value. */
export function scoreOf(distribution: Distribution<unknown>, value: unknown): Numeric {
  if (!(distribution instanceof RecordedDistribution) && !holdsRecorded(value)) return distribution.score(value);
  const family = recordedFamily((distribution as { family?: object }).family);
  if (family !== undefined && isNumeric(value) && isTruth(value) === family.truths) {
    const nodes = nodesOf(family, distribution.params as Params);
    if (nodes !== undefined) return recordedScore(family, value, nodes);
  }
  return opaque((given, x) => (given as Distribution<unknown>).score(x), [distribution, value]);
}

function recordedScore(family: RecordedFamily, value: Numeric, params: readonly number[]): Numeric {
  const recorder = tape();
  const x = nodeOf(value);
  const score = family.score(recorder, x, ...params);
  if (family.truths) return fromNode(score, false);
  return fromNode(recorder.operate('select', recorder.finite(x), score, recorder.constant(-Infinity)), false);
}
