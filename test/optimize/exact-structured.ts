/**
 * The exact ELBO of small programs whose guides are mixtures or make choices of their own: all ways through a guide, and all values of the
 * model's choice given them. Written without the code that is tested: components, weights and scores are worked out here.
 */
import { Entry } from '../../src/runtime/execution.ts';
import type { DataPass, Distribution, Handler, SampleOptions } from '../../src/runtime/handler.ts';
import { Iterations } from '../../src/runtime/iteration.ts';
import { machine } from '../../src/runtime/machine.ts';
import type { ParameterTable } from '../../src/runtime/parameters.ts';
import { type Guide, hermite, outcomesOf } from './exact-elbo.ts';

const NODES = hermite(20);
/** Choices of more values are drawn. */
const MOST_SUMMED = 16;

interface Way {
  readonly guide: Guide;
  readonly probability: number;
}

/** All ways through a guide, with what it returns; those of continuous choices are the nodes of a quadrature. */
function waysOf(thunk: () => unknown): { ways: Way[]; areFinite: boolean } {
  const path: { outcomes: { value: unknown; probability: number }[]; place: number }[] = [];
  const ways: Way[] = [];
  let areFinite = true;
  const { handler } = machine;
  do {
    let depth = 0;
    let probability = 1;
    machine.handler = {
      ...handler,
      name: 'a guide',
      factor() {},
      sample(distribution: Distribution<never>) {
        if (depth === path.length) path.push({ outcomes: outcomesOf(distribution as Guide, NODES), place: 0 });
        const { outcomes, place } = path[depth++];
        areFinite &&= outcomes.length <= MOST_SUMMED && !distribution.isContinuous;
        probability *= outcomes[place].probability;
        return outcomes[place].value as never;
      },
    } as Handler;
    const guide = thunk() as Guide;
    machine.handler = handler;
    ways.push({ guide, probability });
    while (path.length > 0 && ++path[path.length - 1].place === path[path.length - 1].outcomes.length) path.pop();
  } while (path.length > 0);
  return { ways, areFinite };
}

interface Drawn {
  readonly value: unknown;
  readonly probability: number;
  readonly logGuide: number;
}

/** All values of a choice, and what they are scored by. `samples` is how often a guide is run that has choices which are not finite. */
function valuesOf(given: NonNullable<SampleOptions<unknown>['guide']>, samples: number): Drawn[] {
  const { ways, areFinite } = waysOf(typeof given === 'function' ? given : () => given);
  const density = (all: readonly Way[], x: unknown): number =>
    Math.log(all.reduce((sum, { guide, probability }) => sum + probability * Math.exp(guide.score(x)), 0));
  if (areFinite) {
    return ways.flatMap(({ guide, probability: weight }) =>
      outcomesOf(guide, NODES).map(({ value, probability }) => ({
        value,
        probability: weight * probability,
        logGuide: density(ways, value),
      })),
    );
  }
  const tuples = (count: number): Way[][] =>
    count === 0 ? [[]] : tuples(count - 1).flatMap((rest) => ways.map((way) => [...rest, way]));
  return tuples(samples).flatMap((tuple) => {
    const chance = tuple.reduce((product, { probability }) => product * probability, 1);
    const mixture = tuple.map(({ guide }) => ({ guide, probability: 1 / samples }));
    return outcomesOf(tuple[0].guide, NODES).map(({ value, probability }) => ({
      value,
      probability: chance * probability,
      logGuide: density(mixture, value),
    }));
  });
}

class AllWays implements Handler {
  readonly name = 'the exact ELBO';
  readonly guided = true;
  private readonly path: { values: Drawn[]; place: number }[] = [];
  private depth = 0;
  private weight = 1;
  private score = 0;
  total = 0;

  run(execute: () => void): number {
    do {
      this.depth = 0;
      this.weight = 1;
      this.score = 0;
      execute();
      if (this.weight > 0) this.total += this.weight * this.score;
    } while (this.goOn());
    return this.total;
  }

  private goOn(): boolean {
    while (this.path.length > 0 && ++this.path[this.path.length - 1].place === this.path[this.path.length - 1].values.length) this.path.pop(); // biome-ignore format: one thought
    return this.path.length > 0;
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined): V {
    if (this.depth === this.path.length) {
      this.path.push({ values: valuesOf(options!.guide! as never, options!.guideSamples ?? 1), place: 0 });
    }
    const { values, place } = this.path[this.depth++];
    const { value, probability, logGuide } = values[place];
    this.weight *= probability;
    if (probability > 0) this.score += target.score(value as V) - logGuide;
    return value as V;
  }

  factor(score: number): void {
    this.score += score;
  }

  /** Data are independent: the mean of each by itself. */
  mapData(): DataPass {
    const alone = (): never => {
      throw new Error('data are looked at by the handler');
    };
    return {
      together: (data, body) => {
        const { handler } = machine;
        const iterations = new Iterations();
        for (let i = 0; i < data.length; i++) {
          const own = new AllWays();
          machine.handler = own;
          this.score += own.run(() => {
            iterations.enter(i);
            body(data[i], i);
          });
        }
        machine.handler = handler;
        iterations.leave();
        return [];
      },
      enter: alone,
      leave: alone,
      finish: alone,
    };
  }
}

/** The ELBO of a model with these parameters. */
export function exactStructuredElbo(model: () => unknown, params: ParameterTable): number {
  const entry = new Entry(params);
  const all = new AllWays();
  return all.run(() => void entry.execute(all, model, entry.streamOf(0)));
}
