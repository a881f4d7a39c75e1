/** `Amortize`: looks at the model and at its data, and trains a network for it. */
import { knownApart } from '../runtime/known-models.ts';
import { during, machine, type ProgramFacts } from '../runtime/machine.ts';
import { RandomStream } from '../runtime/random.ts';
import { AmortizedModel, type Learned } from './amortized.ts';
import { DataShape, pointsIn } from './data-shape.ts';
import { type AnyModel, Dreamer, type Dreams } from './dreams.ts';
import { keptNet, writeCheckpoint, writeNet } from './net-file.ts';
import { ObservedSources } from './observed-sources.ts';
import { checkModel, FIRST_BATCHES, type ReadOptions, readAmortizeOptions } from './options.ts';
import { Pack } from './pack.ts';
import { Parameters } from './parameters.ts';
import { Sites } from './sites.ts';
import { type NetworkSizes, sizesFor } from './sizes.ts';
import { Training } from './training.ts';

/** How many examples are looked at before training starts. */
const EXAMPLES = 16;
/** How many dreams share an example, where examples vary. */
const SHARING = 32;

export function amortize(given: unknown, options: unknown): AmortizedModel {
  const model = checkModel('Amortize', given);
  const read = readAmortizeOptions(options);
  const { seed } = read;
  const train = (): AmortizedModel => trained(model, read);
  return knownApart(given, () =>
    seed === undefined ? train() : during({ stream: RandomStream.fromSeed(seed) }, train),
  );
}

function trained(model: AnyModel, options: ReadOptions): AmortizedModel {
  const { exampleOf, varies, samples, checkpoint } = options;
  const kept = checkpoint === undefined ? undefined : keptNet(checkpoint, options.embed);
  const learned = kept ?? fresh(options);
  const perExample = varies ? SHARING : samples;
  const dreamer = new Dreamer(model, exampleOf, perExample, learned.sites, learned.shape.points, learned.sources);
  if (kept === undefined) {
    const dreams = Array.from({ length: FIRST_BATCHES }, () => dreamer.dream(samples));
    if (learned.sources.bySite.size === 0 && dreams.every(isUnweighed)) warnOfNothing();
    const packs = dreams.map((some) => new Pack(some, learned.shape));
    learned.shape.learning = false;
    Object.assign(learned.sizes, fittingSizes(options.network, packs));
  }
  const keep = checkpoint === undefined ? null : () => writeCheckpoint(checkpoint, learned);
  new Training(model, learned, dreamer, options, keep).run();
  learned.sites.learning = false;
  const { sideEffect, lasting }: Pick<ProgramFacts, 'sideEffect' | 'lasting'> = machine.program;
  return new AmortizedModel(model, learned, dreamer, { sideEffect, lasting }, writeNet);
}

const isUnweighed = ({ logWeights }: Dreams): boolean => logWeights.every((weight) => weight === 0);

/** Whatever is misspelt is undefined, and what is observed to be undefined is taken for missing. */
function warnOfNothing(): void {
  machine.run.warn(
    'Amortize: the model observes nothing of the data that it is given, so that there is nothing to learn: its posterior is the prior. ' +
      'Is the name of a field misspelt, in the model or in the example? Observe parts of the data as they stand, as in ' +
      'observe(distribution, data.y).',
  );
}

/** The sizes of a network for executions like these. */
function fittingSizes(given: ReadOptions['network'], packs: readonly Pack[]): NetworkSizes {
  const most = (of: (pack: Pack) => number): number => packs.reduce((sofar, pack) => Math.max(sofar, of(pack)), 0);
  const data = most(({ counts }) => counts.reduce((a, b) => Math.max(a, b), 0));
  return sizesFor(
    given,
    most(({ longest }) => longest),
    data,
  );
}

/** A network that knows nothing yet. */
function fresh({ exampleOf, varies, network, embed }: ReadOptions): Learned {
  const examples = Array.from({ length: varies ? EXAMPLES : 1 }, exampleOf);
  return {
    sites: new Sites(),
    shape: new DataShape(pointsIn(examples), embed),
    parameters: new Parameters(machine.stream.named('network')),
    sizes: sizesFor(network, 0, 0),
    objective: 0,
    example: examples[0],
    sources: new ObservedSources(),
  };
}
