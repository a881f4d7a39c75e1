/** Why executions, iterations or steps run one by one: a closed set of codes, which tests and tools may rely on. */
import type { Run } from './machine.ts';

/** Each code, and what it stands for. The text that comes with it says more, in words for the author of the program. */
export const REASONS = {
  asked: 'the user asked for it, with --sequential',
  text: 'the program was not compiled for this way, since it names no method that has it',
  engine: 'the machine has not what it takes, such as WebAssembly',
  few: 'so few executions, iterations or steps are made sooner one by one',
  method: 'the method has no other way, or an option of it asks for each by itself',
  watched: 'a callback of the program looks on between steps',
  inside: 'it runs inside an inference or optimisation that itself runs many as one',
  inference: 'an inner inference cannot be made for many executions at once',
  state: 'something is changed, or read after a change, that others see: a variable, an object, a store, a memory',
  output: 'something is printed',
  outside: 'something is read that cannot be read again: the clock, Math.random, random numbers outside any choice',
  courses: 'executions take too many different courses',
  choices: 'an execution makes other choices than the one recorded, or another number of them',
  value: 'a value that differs is needed in a form that only a plain value has: text, a function, a key, a kind',
  host: 'a function of JavaScript or of a package is given values that differ',
  library: 'a function of the library is called that is not written for values that differ',
  family: 'a distribution cannot be made, drawn from or scored for many at once',
  parameters: 'parameters, guides or minibatches differ between those that run as one',
  weights:
    'an execution is impossible, or its score is infinite or no number: one by one this has a meaning or a message',
  caught: 'the program catches an error that not all may have met',
  failed: 'the program fails: one by one it says so in its own words, with the place and the datum',
  limit: 'it is too large for this way: memory, depth of calls, operations recorded',
  fault: 'the engine itself failed; the run has warned of that and asked for a report',
} as const;

export type ReasonCode = keyof typeof REASONS;

/** Reasons for which there is no other way, or none that was wanted. */
export const reasonCodesWithoutCost: ReadonlySet<ReasonCode> = new Set([
  'asked',
  'few',
  'inside',
  'method',
  'failed',
  'fault',
]);

/** Why not in this way. */
export class Reason {
  /** How many times as long it takes alone, by what had been counted when side by side ended; null if nothing had. */
  timesAlone: number | null = null;

  constructor(
    readonly code: ReasonCode,
    /** Completes "… one by one, because". */
    readonly text: string,
  ) {}

  /** Where in the program that was, as in `model.wppl:3:7`, if it is known. */
  get place(): string | undefined {
    return undefined;
  }

  /** With its place, unless that is the one spoken of. */
  from(spokenOf: string): string {
    const { place } = this;
    return place === undefined || place === spokenOf ? this.text : `${this.text} (${place})`;
  }

  toString(): string {
    return this.from('');
  }
}

/** The ways to run what an inference does many times. */
export type Way =
  /** Iterations or samples of an optimisation as one, in the graph. */
  | 'lanes'
  /** Executions or particles as one, with a column for each value that differs. */
  | 'columns'
  /** What one execution computed is computed again with other numbers. */
  | 'recording'
  /** Steps of an optimisation run a plan, not the program. */
  | 'compiled'
  /** Chains of trajectories two by two, in one plan. */
  | 'pairs'
  /** Not at all: the result of an equal inference was taken. */
  | 'recalled'
  | 'one by one';

/** How one inference, or one construct inside an optimisation, ran. */
export interface Conduct {
  /** Its call in the program, as in `model.wppl:3:7`, or its address where the text is not known. */
  readonly place: string;
  /** `SMC`, `MCMC`, `enumerate`, `mapData`, `steps`, … */
  readonly method: string;
  readonly way: Way;
  /** Groups of lanes that took different courses, where there was more than one. */
  readonly groups?: number;
  /** Why it ran one by one, if it did, or why something was executed besides. */
  readonly code?: ReasonCode;
  readonly reason?: string;
  /** If it ran one by one, how many times as long that is expected to take. */
  readonly cost?: number;
  /** The same for a person, as `--explain-batching` prints it. */
  readonly message: string;
}

/** Whether the user or a test wants to know how inferences run. */
export const asksHow = ({ engine, conduct }: Run): boolean => engine?.explainBatching === true || conduct !== undefined;
