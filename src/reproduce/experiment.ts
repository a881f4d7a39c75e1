/** What an experiment is: conditions to run, and a chapter of the report made from what they gave. */
import type { JsonValue } from '../io/json-value.ts';
import type { Chapter } from './chapter.ts';

/** How much is run: the paper's settings, or a short version that shows that everything works. */
export type Scale = 'full' | 'quick';

/** Arguments of a program, by name. */
export type ProgramArguments = Readonly<Record<string, string | number>>;

/** One row of an experiment: a program, how it is called, and how long it learns. */
export interface Condition {
  readonly name: string;
  /** As figures and tables call it. */
  readonly label: string;
  /** Its file in the experiment's folder, without ending. */
  readonly program: string;
  readonly args?: ProgramArguments;
  /** In a quick run, instead of those of the same name. */
  readonly quickArgs?: ProgramArguments;
  /** Steps of optimisation; 0 if it learns nothing. */
  readonly steps: Readonly<Record<Scale, number>>;
  /** Milliseconds that a step takes, roughly: long conditions are started first. */
  readonly cost: number;
}

/** The runs of all conditions: for each condition by its name, what its program gave in each run. */
export type Runs<R> = Readonly<Record<string, readonly R[]>>;

/** What a chapter is made from. */
export interface Findings<R> {
  readonly runs: Runs<R>;
  /** What the program `data` gave. */
  readonly data: DataDescription;
  readonly scale: Scale;
}

/** The part of an experiment's data that the report speaks of. */
export interface DataDescription {
  readonly description: string;
  /** Where data come from, if there is more than one possibility. */
  readonly source?: string;
}

export interface Experiment<R = JsonValue> {
  readonly name: string;
  readonly title: string;
  /** Where it is from, as in 'section 6.1'. */
  readonly origin: string;
  /** Of its programs, in `experiments/`; its name if left out. */
  readonly folder?: string;
  /** How often each condition is run. */
  readonly runs: Readonly<Record<Scale, number>>;
  readonly conditions: readonly Condition[];
  /** Arguments of the program `data`, given how many runs there are. */
  dataArguments(sources: Sources, runs: number): ProgramArguments;
  chapter(findings: Findings<R>): Chapter;
}

/** Files that data are taken from; what is absent is made up. */
export interface Sources {
  readonly mnist?: { readonly train: string; readonly test?: string };
  /** The folder of MNIST, if there is one: all of its files are looked for in it. */
  readonly mnistFolder?: string;
  readonly corpus?: string;
  readonly chorales?: string;
  /** Folders with reference draws. */
  readonly sbibm?: string;
  readonly posteriordb?: string;
}

/** Arguments of programs that find MNIST by its folder. */
export const digitsFolder = ({ mnistFolder }: Sources): ProgramArguments =>
  mnistFolder === undefined ? {} : { folder: mnistFolder };
