/**
 * What executions that are given teach in the mean: recorded ones (the EUBO), and dreams, of which there are finitely many in the
 * programs of these tests. Written without what dreams and given executions are made by: values go by the order of choices, and made-up
 * data are found by looking for what was observed in the example, whose parts all differ.
 */
import type { Trace } from '../../src/inference/chains/trace.ts';
import { valuesFrom } from '../../src/optimize/replayed-trace.ts';
import type { Address } from '../../src/runtime/address.ts';
import { Entry } from '../../src/runtime/execution.ts';
import type { DataGiven, DataPass, Distribution, Handler, SampleOptions } from '../../src/runtime/handler.ts';
import { machine } from '../../src/runtime/machine.ts';
import type { ParameterTable } from '../../src/runtime/parameters.ts';
import { type Guide, type Outcome, outcomesOf } from './exact-elbo.ts';

const EACH: DataPass = { enter() {}, leave() {}, finish() {} };

function guideAt(options: SampleOptions<unknown> | undefined): Guide {
  const given = options?.guide;
  return (typeof given === 'function' ? given() : given) as Guide;
}

/** A pass that looks at some data, which may stand for others. */
const passOver = (
  indices: readonly number[],
  datumAt: (datum: unknown) => unknown,
  leave = (): void => {},
): DataPass => ({
  ...EACH,
  indices,
  datum: (_index, datum) => datumAt(datum),
  leave,
});

interface Choice {
  readonly value: unknown;
  /** Whether its guide learns from it. */
  readonly counts: boolean;
}

/** One way that a dream may go. */
interface ExactDream {
  readonly probability: number;
  readonly choices: readonly Choice[];
  readonly examples: readonly number[][];
  readonly data: readonly unknown[];
}

/** Follows one path through all that is random in a dream, and says which is next. */
class DreamPaths implements Handler {
  readonly name = 'the exact dream';
  readonly guided = true;
  readonly synthesises = true;
  readonly dreams: ExactDream[] = [];
  private readonly path: { outcomes: readonly Outcome[]; place: number }[] = [];
  private depth = 0;
  private probability = 1;
  private choices: Choice[] = [];
  private examples: number[][] = [];
  private data: unknown[] = [];
  private datum: { whole: unknown; readonly made: Set<string> } | null = null;

  begin(): void {
    this.depth = 0;
    this.probability = 1;
    [this.choices, this.examples, this.data] = [[], [], []];
  }

  end(): boolean {
    const { probability, choices, examples, data } = this;
    if (probability > 0) this.dreams.push({ probability, choices, examples, data });
    while (this.path.length > 0) {
      const last = this.path[this.path.length - 1];
      if (++last.place < last.outcomes.length) return true;
      this.path.pop();
    }
    return false;
  }

  private choose(outcomes: () => readonly Outcome[]): unknown {
    if (this.depth === this.path.length) this.path.push({ outcomes: outcomes(), place: 0 });
    const { outcomes: all, place } = this.path[this.depth++];
    this.probability *= all[place].probability;
    return all[place].value;
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined): V {
    const counts = this.datum !== null;
    const source = counts ? (target as Guide) : guideAt(options as SampleOptions<unknown> | undefined);
    const value = this.choose(() => outcomesOf(source));
    this.choices.push({ value, counts });
    return value as V;
  }

  factor(): never {
    throw new Error('dreams have no factors');
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    const datum = this.datum!;
    const made = this.choose(() => outcomesOf(distribution as Guide));
    if (typeof datum.whole !== 'object') {
      datum.whole = made;
      return;
    }
    const holder = datum.whole as Record<string, unknown>;
    const key = Object.keys(holder).find((name) => !datum.made.has(name) && holder[name] === value);
    if (key === undefined) throw new Error('parts of examples must differ');
    datum.made.add(key);
    holder[key] = made;
  }

  mapData(length: number, _batchSize: number | undefined, _address: Address, given: DataGiven): DataPass {
    if (this.datum !== null) return EACH;
    const lists = subsets(length, given.dreamBatchSize ?? 1);
    const even = (): Outcome[] => lists.map((value) => ({ value, probability: 1 / lists.length }));
    const indices = this.choose(even) as number[];
    this.examples.push(indices);
    const begin = (example: unknown): unknown => {
      // (The program reads the example; what it observes of it is replaced in a copy.)
      this.datum = { whole: structuredClone(example), made: new Set() };
      return example;
    };
    return passOver(indices, begin, () => {
      this.data.push(this.datum!.whole);
      this.datum = null;
    });
  }
}

/** All ways to take so many of so many. */
function subsets(length: number, count: number, from = 0): number[][] {
  if (count === 0) return [[]];
  const lists: number[][] = [];
  for (let first = from; first < length; first++)
    for (const rest of subsets(length, count - 1, first + 1)) lists.push([first, ...rest]);
  return lists;
}

/** Adds up how likely guides find the choices of an execution. */
class Scoring implements Handler {
  readonly name = 'the score of guides';
  readonly guided = true;
  readonly synthesises = true;
  total = 0;
  private place = 0;
  private datum = 0;
  private pass = 0;
  private isInside = false;

  constructor(
    private readonly choice: (place: number, address: Address) => Choice,
    private readonly dream?: ExactDream,
  ) {}

  sample<V>(_target: Distribution<V>, options: SampleOptions<V> | undefined, at: Address): V {
    const { value, counts } = this.choice(this.place++, at.choice(machine.execution));
    if (counts) this.total += guideAt(options as SampleOptions<unknown> | undefined).score(value);
    return value as V;
  }

  factor(): void {}

  observe(): void {}

  mapData(): DataPass {
    if (this.dream === undefined || this.isInside) return EACH;
    const { examples, data } = this.dream;
    const begin = (): unknown => {
      this.isInside = true;
      return data[this.datum++];
    };
    return passOver(examples[this.pass++], begin, () => {
      this.isInside = false;
    });
  }
}

function scored(model: () => unknown, params: ParameterTable, handler: Scoring): number {
  const entry = new Entry(params);
  entry.execute(handler, model, entry.streamOf(0));
  return handler.total;
}

/** What dreams teach: the mean of log q over all dreams of these parameters, by the parameters in the argument. */
export function dreamTeaching(model: () => unknown, params: ParameterTable): (moved: ParameterTable) => number {
  const paths = new DreamPaths();
  const entry = new Entry(params);
  do {
    paths.begin();
    entry.execute(paths, model, entry.streamOf(0));
  } while (paths.end());
  return (moved) =>
    paths.dreams.reduce((sum, dream) => {
      const handler = new Scoring((place) => dream.choices[place], dream);
      return sum + dream.probability * scored(model, moved, handler);
    }, 0);
}

/** What recorded executions teach: the mean of log q over all of them. */
export function traceTeaching(
  model: () => unknown,
  traces: readonly Trace<unknown>[],
): (moved: ParameterTable) => number {
  return (moved) => {
    const { address } = new Entry(moved);
    const each = traces.map((trace) => {
      const values = valuesFrom(trace, address);
      return scored(model, moved, new Scoring((_place, at) => ({ value: values.get(at), counts: true })));
    });
    return each.reduce((sum, one) => sum + one, 0) / traces.length;
  };
}
