import { count, fileName, type Option, type OptionTable, readOptions, withDefault } from '../inference/options.ts';

export interface CheckpointOptions {
  /** Relative to the folder of the program. */
  file: string;
  /** How many steps from one saving to the next. */
  every: number;
  /** Whether to go on from the file, if it is there; 'anyway' even if the program has changed. */
  resume: boolean | 'anyway' | undefined;
}

const table: OptionTable<CheckpointOptions> = {
  file: fileName,
  every: withDefault(count(1), 100),
  resume: {
    expected: "true, false, or 'anyway'",
    standard: { value: undefined },
    read: (value) => (typeof value === 'boolean' || value === 'anyway' ? { value } : undefined),
  },
};

/** The name of a file, or `{file, every, resume}`. */
export const checkpointOption: Option<CheckpointOptions | undefined> = {
  expected: 'the name of a file, or an object such as {file: NAME, every: 100}',
  standard: { value: undefined },
  read(value) {
    const given = typeof value === 'string' ? { file: value } : value;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    return { value: readOptions('Optimize checkpoint', given, table) };
  },
};
