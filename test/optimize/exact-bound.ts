/**
 * The exact multi-sample bound of small programs, by enumeration of all samples of each datum (or of whole executions), and what
 * reweighted wake–sleep teaches in the mean.
 */
import type { Address } from '../../src/runtime/address.ts';
import { Entry } from '../../src/runtime/execution.ts';
import type { DataPass, Distribution, Handler, SampleOptions } from '../../src/runtime/handler.ts';
import { Iterations } from '../../src/runtime/iteration.ts';
import type { ParameterTable } from '../../src/runtime/parameters.ts';
import { type Guide, type Outcome, outcomesOf } from './exact-elbo.ts';

/** One of all ways that samples may go: its probability under the guides, and its scores. */
interface Way {
  readonly probability: number;
  readonly logModel: number;
  readonly logGuide: number;
}

/** Walks through all ways of some code, one after the other. */
class Walk {
  private readonly path: { outcomes: Outcome[]; place: number }[] = [];
  private depth = 0;
  probability = 1;
  logModel = 0;
  logGuide = 0;

  constructor(private readonly outer: Walk | null) {}

  all(body: () => void, use: (walk: Walk) => Walk | null): Way[] {
    const ways: Way[] = [];
    for (;;) {
      this.depth = 0;
      this.probability = 1;
      this.logModel = 0;
      this.logGuide = 0;
      use(this);
      try {
        body();
      } finally {
        use(this.outer as Walk);
      }
      const { probability, logModel, logGuide } = this;
      ways.push({ probability, logModel, logGuide });
      while (this.path.length > 0 && ++this.path[this.path.length - 1].place >= this.path[this.path.length - 1].outcomes.length) this.path.pop(); // biome-ignore format: one thought
      if (this.path.length === 0) return ways;
    }
  }

  choose(target: Distribution<unknown>, guide: Guide): unknown {
    if (this.depth === this.path.length) this.path.push({ outcomes: outcomesOf(guide), place: 0 });
    const { outcomes, place } = this.path[this.depth++];
    const { value, probability } = outcomes[place];
    this.probability *= probability;
    this.logModel += target.score(value);
    this.logGuide += guide.score(value);
    return value;
  }
}

/** Choices in order of what they are part of; `bound` makes one number of all the ways of samples. */
class Bounding implements Handler {
  readonly name = 'the exact bound';
  readonly guided = true;
  walk: Walk = new Walk(null);
  private sampling = false;

  constructor(
    private readonly perDatum: boolean,
    private readonly bound: (ways: Way[]) => number,
  ) {}

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, _address: Address): V {
    const given = options?.guide;
    const guide = (typeof given === 'function' ? given() : given) as Guide;
    return this.walk.choose(target as Distribution<unknown>, guide) as V;
  }

  factor(score: number): void {
    this.walk.logModel += score;
  }

  waysOf(body: () => void): Way[] {
    const use = (walk: Walk): Walk => {
      this.walk = walk;
      return walk;
    };
    return new Walk(this.walk).all(body, use);
  }

  mapData(): DataPass {
    const refuse = (): never => {
      throw new Error('data are looked at by the handler');
    };
    if (!this.perDatum || this.sampling) return { enter() {}, leave() {}, finish() {} };
    return {
      together: (data, body) => {
        const iterations = new Iterations();
        for (let i = 0; i < data.length; i++) {
          const ways = this.waysOf(() => {
            iterations.enter(i);
            this.sampling = true;
            body(data[i], i);
            this.sampling = false;
          });
          this.walk.logModel += this.bound(ways);
        }
        iterations.leave();
        return [];
      },
      enter: refuse,
      leave: refuse,
      finish: refuse,
    };
  }
}

/** The mean over all tuples of K samples. */
function meanOver(ways: readonly Way[], count: number, of: (places: readonly number[]) => number): number {
  let total = 0;
  const places: number[] = [];
  const go = (probability: number): void => {
    if (places.length === count) {
      total += probability * of(places);
      return;
    }
    ways.forEach((way, i) => {
      if (way.probability === 0) return;
      places.push(i);
      go(probability * way.probability);
      places.pop();
    });
  };
  go(1);
  return total;
}

const weightOf = ({ logModel, logGuide }: Way): number => Math.exp(logModel - logGuide);

const boundOf = (ways: readonly Way[], count: number): number =>
  meanOver(ways, count, (places) => Math.log(places.reduce((sum, place) => sum + weightOf(ways[place]), 0) / count));

function run(model: () => unknown, params: ParameterTable, handler: Bounding): Way[] {
  const entry = new Entry(params);
  const body = (): void => {
    // Nothing of the handler is lost in between.
    entry.execute(handler, model, entry.streamOf(0));
  };
  return handler.waysOf(body);
}

/** The bound of a model with these parameters: of samples of single data, or of whole executions. */
export function exactBound(model: () => unknown, params: ParameterTable, count: number, perDatum: boolean): number {
  const ways = run(model, params, new Bounding(perDatum, (own) => boundOf(own, count)));
  if (!perDatum) return boundOf(ways, count);
  return ways.reduce((sum, { probability, logModel, logGuide }) => sum + probability * (logModel - logGuide), 0);
}

/** The evidence of a model whose choices are discrete, or quadratures of them, summed over all ways. */
export function exactEvidence(model: () => unknown, params: ParameterTable): number {
  const ways = run(model, params, new Bounding(false, () => 0));
  return Math.log(ways.reduce((sum, way) => sum + way.probability * weightOf(way), 0));
}

/**
 * What wake phases teach: the mean of the scores of model and guides on samples, by their share of the weight. Samples and weights
 * are those of `params`, scores those of the parameters in the argument. For discrete choices.
 */
export function wakeTeaching(
  model: () => unknown,
  params: ParameterTable,
  count: number,
  guides: number,
  perDatum: boolean,
): (moved: ParameterTable) => number {
  const listsAt = (table: ParameterTable): Way[][] => {
    const lists: Way[][] = [];
    const all = run(
      model,
      table,
      new Bounding(perDatum, (ways) => {
        lists.push(ways);
        return 0;
      }),
    );
    return perDatum ? lists : [all];
  };
  const here = listsAt(params);
  return (moved) => {
    const there = listsAt(moved);
    return here.reduce((sum, ways, list) => {
      const teach = (places: readonly number[]): number => {
        const all = places.reduce((total, place) => total + weightOf(ways[place]), 0);
        return places.reduce((total, place) => {
          const { logModel, logGuide } = there[list][place];
          return total + (weightOf(ways[place]) / all) * (logModel + guides * logGuide);
        }, 0);
      };
      return sum + meanOver(ways, count, teach);
    }, 0);
  };
}
