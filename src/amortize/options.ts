import {
  callback,
  count,
  flag,
  type Option,
  type OptionTable,
  positiveNumber,
  readOptions,
  withDefault,
} from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { type NetworkSizes, STANDARD_SIZES } from './sizes.ts';

export interface ReadOptions {
  exampleOf: () => unknown;
  /** Whether each example may be of another form. */
  varies: boolean;
  steps: number;
  samples: number;
  stepSize: number;
  network: NetworkSizes;
  embed: Readonly<Record<string, (value: unknown) => ArrayLike<number>>>;
  verbose: boolean;
}

const SIZES: OptionTable<NetworkSizes> = {
  hidden: withDefault(count(1), STANDARD_SIZES.hidden),
  token: withDefault(count(1), STANDARD_SIZES.token),
  read: withDefault(count(1), STANDARD_SIZES.read),
  reads: withDefault(count(1), STANDARD_SIZES.reads),
  components: withDefault(count(1), STANDARD_SIZES.components),
};

type Given = Omit<ReadOptions, 'varies' | 'network' | 'exampleOf'> & {
  network: object;
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
  exampleOf: withDefault<(() => unknown) | undefined>(callback('of no arguments that gives data'), undefined),
  steps: withDefault(count(0), 5000),
  samples: withDefault(count(1), 256),
  stepSize: withDefault(positiveNumber, 0.003),
  network: withDefault(anObject, {}),
  embed: withDefault(embeds, {}),
  verbose: withDefault(flag, false),
};

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
  return {
    ...options,
    exampleOf: exampleOf ?? (() => example),
    varies: exampleOf !== undefined,
    network: readOptions<NetworkSizes>('Amortize: network', options.network, SIZES),
  };
}

export function checkModel(owner: string, model: unknown): (data: unknown) => unknown {
  if (typeof model === 'function') return model as (data: unknown) => unknown;
  throw new WaymarkError(
    `${owner} takes a model: a function of the data, as in (data) => { … }; got ${describe(model)}.`,
  );
}
