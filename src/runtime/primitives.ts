/** What a program says to its handler: the words of section 2.1 of the paper, checked before they are passed on. */

import { once } from '../compiler/once.ts';
import { describe } from './describe.ts';
import { didYouMean, WaymarkError } from './errors.ts';
import { type Distribution, GRADIENTS, type SampleOptions } from './handler.ts';
import { lifting } from './lifting.ts';
import { machine, type Run, runsDirectly } from './machine.ts';
import { placeOf, siteOf } from './places.ts';
import { abandon } from './signals.ts';

export function isDistribution(value: unknown): value is Distribution<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Distribution<unknown>).draw === 'function';
}

const SAMPLE_OPTIONS = ['guide', 'driftKernel', 'noAutoGuide', 'reparam', 'gradient', 'guideSamples'];

function notDistribution(value: unknown, caller: string): never {
  const hint =
    typeof value === 'function'
      ? 'that is a function; call it with its parameters first, as in Gaussian({mu: 0, sigma: 1})'
      : `got ${describe(value)}`;
  throw new WaymarkError(`${caller} needs a distribution: ${hint}.`);
}

function checkSampleOptions(options: object): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`The second argument of sample is an object of options, got ${describe(options)}.`);
  }
  for (const name in options) {
    if (!SAMPLE_OPTIONS.includes(name)) {
      throw new WaymarkError(
        `sample has no option '${name}'; it takes ${SAMPLE_OPTIONS.join(', ')}.${didYouMean(name, SAMPLE_OPTIONS)}`,
      );
    }
  }
  const { driftKernel, gradient, guideSamples } = options as SampleOptions<unknown>;
  if (gradient !== undefined && !GRADIENTS.includes(gradient)) {
    const names = GRADIENTS.map((name) => `'${name}'`).join(', ');
    throw new WaymarkError(
      `sample: gradient must be one of ${names}, got ${describe(gradient)}.${didYouMean(String(gradient), GRADIENTS)}`,
    );
  }
  if (guideSamples !== undefined && !(Number.isInteger(guideSamples) && guideSamples >= 1)) {
    throw new WaymarkError(`sample: guideSamples must be a whole number of at least 1, got ${describe(guideSamples)}.`);
  }
  if (driftKernel !== undefined && typeof driftKernel !== 'function') {
    throw new WaymarkError(
      'A drift kernel is a function of the previous value that returns the distribution to propose from, as in ' +
        `driftKernel: x => Gaussian({mu: x, sigma: 1}); got ${describe(driftKernel)}.`,
    );
  }
}

/** What `replayed` gives for a choice that has to be made. */
export const fresh: unique symbol = Symbol('fresh');

/** The value of the choice that is about to be made here, if it is known already: see `Handler.replay`. */
export function replayed(): unknown {
  const { handler } = machine;
  if (handler.replay === undefined) return fresh;
  const value = handler.replay(machine.address);
  if (value !== fresh) machine.effects++;
  return value;
}

/**
 * Makes a random choice. With a guide it is drawn from that, where guides are used.
 *
 *     const model = () => {
 *       const x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 0.8, sigma: 0.5})});
 *       observe(Gaussian({mu: x, sigma: 0.5}), 1);
 *       return x;
 *     };
 *     expectation(Infer({method: 'importance', guide: true, samples: 1000, model}));
 */
export function sample<V>(distribution: Distribution<V>, options?: SampleOptions<NoInfer<V>>): V {
  if (!isDistribution(distribution)) notDistribution(distribution, 'sample');
  if (options !== undefined) checkSampleOptions(options);
  if (machine.gaveUp) throw abandon;
  machine.effects++;
  return machine.handler.sample(distribution, options, machine.address);
}

/**
 * Adds to the log-weight of this execution.
 *
 *     Infer(() => {
 *       const heads = flip(0.5);
 *       factor(heads ? 1 : 0);
 *       return heads;
 *     });
 */
export function factor(score: number): void {
  if ((typeof score !== 'number' || Number.isNaN(score)) && !lifting.current?.isLifted(score)) {
    throw new WaymarkError(`factor needs a number as its score, got ${describe(score)}.`);
  }
  if (machine.gaveUp) throw abandon;
  machine.effects++;
  machine.handler.factor(score, machine.address);
  machine.returns = false;
}

/**
 * Keeps only executions in which this holds.
 *
 *     Infer(() => {
 *       const [a, b] = [randomInteger(6), randomInteger(6)];
 *       condition(a + b > 8);
 *       return a;
 *     });
 */
export function condition(holds: boolean): void {
  if (machine.gaveUp) throw abandon;
  machine.effects++;
  const score = lifting.current?.isLifted(holds) ? lifting.current.select(holds, 0, -Infinity) : holds ? 0 : -Infinity;
  machine.handler.factor(score, machine.address);
  machine.returns = false;
}

/**
 * Conditions on a value having been drawn from the distribution. Without a value it is a choice like `sample`,
 * which lets one program serve for inference and for synthesis.
 *
 *     const model = () => {
 *       const p = sample(Categorical({vs: [0.1, 0.5, 0.9]}));
 *       mapData({data: [true, true, false]}, (heads) => observe(Bernoulli({p}), heads));
 *       return p;
 *     };
 *     Infer({method: 'enumerate', model})
 */
export function observe<V>(distribution: Distribution<V>, value?: V, options?: SampleOptions<NoInfer<V>>): V {
  if (value === undefined) {
    machine.returns = false;
    // biome-ignore lint/complexity/noArguments: a value that was given, and is undefined, is another thing than none
    if (arguments.length > 1) warnOfMissing();
    return sample(distribution, options);
  }
  if (!isDistribution(distribution)) notDistribution(distribution, 'observe');
  if (machine.gaveUp) throw abandon;
  // Distributions that are recorded have none of the fields that it asks for.
  if (machine.columns === null) noticeImpossible(distribution, value);
  machine.effects++;
  const { handler, address } = machine;
  if (handler.observe !== undefined) handler.observe(distribution, value, address);
  else handler.factor(distribution.score(value), address);
  machine.returns = false;
  return value;
}

/** Places that were warned of, by run. */
const missingIn = once((_run: Run) => new Set<unknown>());

/** Warns once of what an observation at this place was given. */
function warnOfGiven(given: string, consequence: string): void {
  const { run, address } = machine;
  const said = missingIn(run);
  const site = siteOf(address);
  if (said.has(site)) return;
  said.add(site);
  run.warn(`observe at ${placeOf(address) ?? address} was given ${given}${consequence}`);
}

/** A field that is misspelt is undefined: the model would learn nothing from it, without a word. */
function warnOfMissing(): void {
  if (machine.handler.synthesises === true || runsDirectly()) return;
  warnOfGiven(
    'undefined as the value',
    ', and drew one instead: nothing is learnt from it. Is the name of a field misspelt, or a datum missing? To draw on ' +
      'purpose, leave the value out: observe(dist).',
  );
}

/** What stands in data where a number is missing, or was not read as one. */
const isNoNumber = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isNaN(value) : value === null || typeof value === 'string';

/** Warns of a value that makes every execution impossible: inference would only say that none is possible. */
export function noticeImpossible<V>(distribution: Distribution<V>, value: V): void {
  if (!isNoNumber(value) || runsDirectly()) return;
  if (!distribution.isContinuous && (typeof value === 'string' || distribution.score(value) !== -Infinity)) return;
  warnOfGiven(
    describe(value),
    `, which ${distribution.name} cannot give: no execution that comes here is possible. Is a datum missing, or text where a ` +
      'number is meant? Leave such data out, or observe them without a value: observe(dist).',
  );
}

/** A choice followed by a factor of its value, which enumeration can take into account before going on. */
export function sampleWithFactor<V>(distribution: Distribution<V>, score: (value: V) => number): V {
  if (!isDistribution(distribution)) notDistribution(distribution, 'sampleWithFactor');
  if (machine.gaveUp) throw abandon;
  machine.effects++;
  const { handler, address } = machine;
  if (handler.sampleWithFactor !== undefined) return handler.sampleWithFactor(distribution, score, address);
  const value = handler.sample(distribution, undefined, address.at('choice'));
  machine.address = address.at('score');
  const weight = score(value);
  machine.address = address.at('factor');
  factor(weight);
  return value;
}

/** Under SMC with rejuvenation: choices made before this point are left alone from now on. */
export function setProposalBoundary(): void {
  machine.handler.proposalBoundary?.();
}
