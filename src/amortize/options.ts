import {
  arrayOf,
  callback,
  count,
  fileName,
  flag,
  type Option,
  type OptionTable,
  positiveNumber,
  readOptions,
  withDefault,
} from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { objectives, type TakenObjective } from './objectives.ts';
import type { GivenSizes } from './sizes.ts';

/** Batches of dreams that tell which sites there are and how large numbers are, before the first step. */
export const FIRST_BATCHES = 2;

export interface ReadOptions {
  exampleOf: () => unknown;
  /** Whether each example may be of another form. */
  varies: boolean;
  steps: number;
  samples: number;
  stepSize: number;
  /** The most dreams that are made, which later steps use again; no limit if undefined. */
  simulations: number | undefined;
  /** Sizes that are not given are chosen for the program. */
  network: GivenSizes;
  embed: Readonly<Record<string, (value: unknown) => ArrayLike<number>>>;
  /** Real data, to learn from besides dreams. */
  data: readonly unknown[];
  /** How often each of the objectives is taken. */
  objective: readonly TakenObjective[];
  /** The seed of the training; undefined for the random numbers of the run. */
  seed: number | undefined;
  stopAtPlateau: number | undefined;
  checkpoint: string | undefined;
  verbose: boolean;
}

const size = (least: number): Option<number | undefined> => withDefault<number | undefined>(count(least), undefined);

const SIZES: OptionTable<GivenSizes> = {
  hidden: size(1),
  layers: size(1),
  token: size(1),
  read: size(1),
  reads: size(1),
  heads: size(0),
  width: size(1),
  components: size(1),
};

type Given = Omit<ReadOptions, 'varies' | 'network' | 'exampleOf' | 'objective'> & {
  network: object;
  objective: readonly TakenObjective[] | undefined;
  exampleOf: (() => unknown) | undefined;
};

const anObject: Option<object> = {
  expected: 'an object',
  read: (value) => (typeof value === 'object' && value !== null ? { value } : undefined),
};

const embeds: Option<ReadOptions['embed']> = {
  expected: 'an object with a function for each part of the data, as in {image: (pixels) => numbers}',
  read: (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((fn) => typeof fn === 'function')
      ? { value: value as ReadOptions['embed'] }
      : undefined,
};

const TABLE: OptionTable<Given> = {
  data: withDefault<readonly unknown[]>(arrayOf<unknown>('data'), []),
  objective: withDefault(objectives, undefined),
  stopAtPlateau: withDefault<number | undefined>(count(1), undefined),
  checkpoint: withDefault(fileName, undefined),
  exampleOf: withDefault<(() => unknown) | undefined>(callback('of no arguments that gives data'), undefined),
  steps: withDefault(count(0), 5000),
  samples: withDefault(count(1), 256),
  stepSize: withDefault(positiveNumber, 0.01),
  simulations: withDefault<number | undefined>(count(1), undefined),
  network: withDefault(anObject, {}),
  embed: withDefault(embeds, {}),
  verbose: withDefault(flag, false),
  seed: withDefault<number | undefined>(
    { expected: SEED_KIND, read: (value) => (isSeed(value) ? { value } : undefined) },
    undefined,
  ),
};

const DREAMS: readonly TakenObjective[] = [{ name: 'dream', weight: 1 }];
const DREAMS_AND_DATA: readonly TakenObjective[] = [...DREAMS, { name: 'RWS', weight: 0.25 }];

/** The record without the fields that are undefined. */
const withoutGaps = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

export function readAmortizeOptions(given: unknown): ReadOptions {
  const options = readOptions<Given>('Amortize', given, TABLE, { apart: ['example'] });
  const { example } = given as { example?: unknown };
  const { exampleOf } = options;
  if ((example === undefined) === (exampleOf === undefined)) {
    throw new WaymarkError(
      'Amortize needs data to make up others after: either example, with data of the form that the model takes, or ' +
        'exampleOf, with a function that gives such data, each time of another length if lengths vary.',
    );
  }
  const { data, simulations, samples } = options;
  if (simulations !== undefined && simulations < (1 + FIRST_BATCHES) * samples) {
    throw new WaymarkError(
      `Amortize: simulations (${simulations}) must be at least ${1 + FIRST_BATCHES} times the dreams of a step (samples: ${samples}).`,
    );
  }
  const objective = options.objective ?? (data.length > 0 ? DREAMS_AND_DATA : DREAMS);
  const awake = objective.find(({ name, weight }) => name !== 'dream' && weight > 0);
  if (awake !== undefined && data.length === 0) {
    const { name } = awake;
    throw new WaymarkError(
      `Amortize: the objective ${name} learns from data that are there; give some, as in data: [first, second].`,
    );
  }
  return {
    ...options,
    objective,
    exampleOf: exampleOf ?? (() => example),
    varies: exampleOf !== undefined,
    network: withoutGaps(readOptions<GivenSizes>('Amortize: network', options.network, SIZES)),
  };
}

export function checkModel(owner: string, model: unknown): (data: unknown) => unknown {
  if (typeof model === 'function') return model as (data: unknown) => unknown;
  throw new WaymarkError(
    `${owner} takes a model: a function of the data, as in (data) => { … }; got ${describe(model)}.`,
  );
}
