/**
 * Wake–sleep. Awake, the model learns from samples that its guides propose, in proportion to their weights, and the guides learn to
 * propose those that weigh much (reweighted wake–sleep; Bornschein & Bengio 2015, Le et al. 2019). Asleep, guides learn from dreams.
 */
import { count, type Option, withDefault } from '../inference/options.ts';
import { dream, dreams } from './dream.ts';
import type { Estimator, Steps } from './estimator.ts';
import { type Scope, scopeOption, startSampled } from './iwae.ts';
import type { Sampling } from './sampled/objective.ts';
import { type Part, startAll } from './sum-of-objectives.ts';

export interface RwsOptions {
  /** Samples of each datum, or of each execution, when awake. */
  samples: number;
  /** How much of what guides learn they learn from dreams: 0 is nothing, 1 all. */
  dream: number;
  /** Dreams per step, where there are any. */
  dreams: number;
  /** What samples are of: single data of `mapData`, or whole executions. By default the first where the program makes sense of it. */
  per: Scope;
}

const share: Option<number> = {
  expected: 'a number from 0 to 1',
  read: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? { value } : undefined),
};

type Given = Parameters<Estimator<object>['start']>;

function start(given: Given, { samples, dream: asleep, dreams: often, per }: RwsOptions): Steps {
  const sampling: Sampling = { count: samples, kind: 'wake', guides: 1 - asleep, per };
  if (asleep === 0) return startSampled(given, sampling);
  const [model, entry, own, parameters, outlook] = given;
  const wake: Part['estimator'] = {
    objective: 'IWAE',
    larger: true,
    start: (...wake) => startSampled(wake, sampling),
  };
  const parts: Part[] = [
    { estimator: wake, options: {}, weight: 1 },
    // (Its own objective is no bound of the evidence: what is told is that of the samples.)
    { estimator: silent, options: { samples: often }, weight: asleep },
  ];
  return startAll(parts, model, entry, own, parameters, outlook);
}

/** Dreams count for as much as the data that samples are of: else the share of dreams would not be what is asked for. */
const silent: Part['estimator'] = {
  ...(dream as unknown as Estimator<object>),
  start(...given) {
    const steps = dreams(given as unknown as Parameters<typeof dreams>[0], true);
    return Object.assign((step: number) => ({ ...steps(step), objective: 0 }), {
      memory: steps.memory,
      end: () => steps.end?.(),
      together: steps.together,
    });
  },
};

export const rws: Estimator<RwsOptions> = {
  objective: 'IWAE',
  larger: true,
  options: {
    samples: withDefault(count(1), 5),
    dream: withDefault(share, 0),
    dreams: withDefault(count(1), 1),
    per: scopeOption,
  },
  start: (model, entry, options, parameters, outlook) => start([model, entry, options, parameters, outlook], options),
};

export interface WakeSleepOptions {
  /** Dreams per step. */
  dreams: number;
}

/** Hinton, Dayan, Frey & Neal (1995): the model learns awake, from one sample; the guides learn asleep. */
export const wakeSleep: Estimator<WakeSleepOptions> = {
  objective: 'ELBO',
  larger: true,
  options: { dreams: withDefault(count(1), 1) },
  start: (model, entry, { dreams, gradients }, parameters, outlook) =>
    start([model, entry, { gradients }, parameters, outlook], { samples: 1, dream: 1, dreams, per: undefined }),
};
