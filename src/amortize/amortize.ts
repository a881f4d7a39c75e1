/** `Amortize`: dreams and steps of training. */
import { IterationCount } from '../inference/progress.ts';
import { knownApart } from '../runtime/apart.ts';
import { machine, type ProgramFacts } from '../runtime/machine.ts';
import { AmortizedModel, type Learned } from './amortized.ts';
import { DataShape, pointsIn } from './data-shape.ts';
import { Dreamer } from './dreams.ts';
import { writeNet } from './net-file.ts';
import { checkModel, type ReadOptions, readAmortizeOptions } from './options.ts';
import { Pack } from './pack.ts';
import { Parameters } from './parameters.ts';
import { Sites } from './sites.ts';
import { Trainer } from './trainer.ts';

/** Examples that are looked at before training starts. */
const EXAMPLES = 16;
/** Dreams that share an example, where examples vary. */
const SHARING = 32;
/** Batches of dreams that tell which sites there are and how large numbers are. */
const FIRST_BATCHES = 2;
/** The share of the steps in which the step size rises. */
const RISE = 0.025;
/** The step size at the end, as a share of the largest. */
const LEAST = 0.01;
const CLIP = 10;

export function amortize(given: unknown, options: unknown): AmortizedModel {
  const model = checkModel('Amortize', given);
  const read = readAmortizeOptions(options);
  return knownApart(given, () => trained(model, read));
}

export function factsNow(): Pick<ProgramFacts, 'noise' | 'lasting'> {
  const { noise, lasting } = machine.program;
  return { noise, lasting };
}

function trained(model: (data: unknown) => unknown, options: ReadOptions): AmortizedModel {
  const { exampleOf, varies, steps, samples, stepSize, network, embed } = options;
  const examples = Array.from({ length: varies ? EXAMPLES : 1 }, exampleOf);
  const sites = new Sites();
  const points = pointsIn(examples);
  const shape = new DataShape(points, embed);
  const parameters = new Parameters(machine.stream.named('network'));
  const dreamer = new Dreamer(model, exampleOf, varies ? SHARING : samples, sites, points);
  const learned: Learned = {
    sites,
    shape,
    parameters,
    sizes: network,
    objective: 0,
    example: examples[0],
    sources: dreamer.sources,
  };
  for (let i = 0; i < FIRST_BATCHES; i++) new Pack(dreamer.dream(samples), shape);
  const trainer = new Trainer(parameters, network, sites, shape);
  trainer.declare();
  shape.learning = false;
  const progress = new IterationCount('Amortize', steps, 1);
  let mean = 0;
  for (let step = 0; step < steps; step++) {
    const value = trainer.step(dreamer.dream(samples), stepSize * pace(step, steps), CLIP);
    mean = step === 0 ? value : 0.98 * mean + 0.02 * value;
    progress.step(() => `objective ${mean.toFixed(3)}`);
  }
  progress.finish();
  sites.learning = false;
  learned.objective = mean;
  return new AmortizedModel(model, learned, dreamer, factsNow(), writeNet);
}

/** The share of the largest step size: it rises, and falls by a cosine. */
function pace(step: number, steps: number): number {
  const rise = Math.max(1, Math.min(500, RISE * steps));
  if (step < rise) return (step + 1) / rise;
  const part = (step - rise) / Math.max(1, steps - rise);
  return LEAST + (1 - LEAST) * 0.5 * (1 + Math.cos(Math.PI * part));
}
