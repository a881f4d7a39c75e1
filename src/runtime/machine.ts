/**
 * The machine: which execution is going on in this thread, and where it is. Compiled programs write
 * `machine.address` before every call; everything else is swapped by `execute` and restored when it returns or
 * throws. Nothing here outlives a run: seed, store, outputs and files belong to the `Run`.
 */

import { forAWhile } from '../tensor/mode.ts';
import type { Node } from '../tensor/node.ts';
import { forgetEarlierRuns } from '../tensor/run-start.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import type { Handler } from './handler.ts';
import type { Helpers } from './helpers.ts';
import { MemoLayer, type SharedMemory } from './memo.ts';
import { ParameterTable } from './parameters.ts';
import { RandomStream } from './random.ts';
import type { Conduct, Reason, ReasonCode } from './reasons.ts';
import type { RemainingCall } from './returning.ts';
import type { Team } from './team.ts';

/** Fields of `globalStore`. */
export type Store = Record<string, unknown>;

/** A store with the same fields. It inherits none: `globalStore.constructor` is what the program has put there. */
export const storeOf = (before?: Store): Store => ({ __proto__: null, ...before }) as unknown as Store;

/** A figure that changes while work goes on, as a curve shows it. */
export interface Trace {
  /** What it is: `ELBO`, say. */
  readonly name: string;
  /** What has come since the last report: after how many steps, and the figure. */
  readonly points: readonly (readonly [done: number, value: number])[];
}

/** Long work reports here; the command line draws a bar, others ignore it. */
export interface Progress {
  /** `total` may be unknown; `note` holds figures for the user (acceptance, objective). */
  update(done: number, total: number | undefined, note?: string, trace?: Trace): void;
  finish(): void;
}

/** How a run is carried out, as its user asked; what is absent is left to the engine. Results do not depend on it, but for rounding. */
export interface Engine {
  /** Executions one after the other, never as lanes. */
  readonly sequential?: boolean;
  readonly device?: 'js' | 'wasm' | 'blas';
  readonly threads?: number;
  /** What networks compute in while they are trained; the rest is always in double precision. Single if left out. */
  readonly precision?: 'single' | 'double';
  /** Say what guides each choice of an optimisation. */
  readonly explainGuides?: boolean;
  /** Says which data are looked at side by side, and which steps are compiled. */
  readonly explainBatching?: boolean;
  /** Says without being asked where the program is expected to take more than five times as long as it could. */
  readonly advises?: boolean;
}

/** What one run of a program owns, and how it speaks to the outside. */
export interface Run {
  readonly seed: number;
  /** Folder that `loadData` paths are relative to. */
  readonly folder: string;
  /** Data by the names that `loadData` is given, instead of files: text, or bytes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Arguments after `--` on the command line. */
  readonly args: readonly string[];
  readonly engine?: Engine;
  /** The parameters it starts with, which it changes; absent means none. */
  readonly params?: ParameterTable;
  /** Whether optimisations go on from their checkpoints. */
  readonly resume?: boolean;
  /** Whether the stack is short, and a run that needs a longer one is made again elsewhere: programs must not notice. */
  readonly isShallow?: boolean;
  /** Called now and then by loops that may be endless: throws if what they keep no longer fits into the memory of this thread. */
  checkRoom?(): void;
  /** The processes that run this together, if there are several. */
  readonly team?: Team;
  /** Threads that take parts of long work, where the run may have some. */
  readonly helpers?: Helpers;
  /** `display`, `print`, `viz…`: the value for the record, and its text as a person would read it. */
  output(value: unknown, text: string): void;
  /** One line of advice on stderr; the same line is said once per run. */
  warn(message: string): void;
  /** Starts a progress report. */
  progress(label: string): Progress;
  /** Compiles and runs the text of a program within this one (`webpplEval`), where the run has a compiler. */
  evaluate?(code: string): unknown;
  /** Where a call site is in the program's text, as in `model.wppl:3:7`, where the run has a program. */
  placeOf?(site: number): string | undefined;
  /** Where the guide is written that the call at a site gives, where that can be told. */
  guideOf?(site: number): string | undefined;
  /** The name of a call site, which stays the same when other parts of the program change. */
  nameOf?(site: number): string | undefined;
  /** Where in its text the program is now, or was when the error was made, as far as the calls in progress tell. */
  here?(then?: Error): string | undefined;
  /** Whether an error was raised by the program's text itself, and not by what it calls. */
  isRaisedByText?(error: Error): boolean;
  /** Called with how each inference ran, if it is set. */
  conduct?(how: Conduct): void;
  /** The same for equal texts of programs; checkpoints ask. */
  fingerprint?(): string;
}

const silent: Progress = { update() {}, finish() {} };

/** What the runtime asks of lanes. */
export interface LaneContext {
  /** The value of a node that has lanes, if the current ones agree on it; otherwise they part. */
  agree(node: Node): number | boolean;
}

/** The run in force when a library user calls Waymark without starting one. */
function ownRun(): Run {
  const said = new Set<string>();
  return {
    seed: Math.floor(Math.random() * 2 ** 32),
    folder: '.',
    args: [],
    output: (_value, text) => console.log(text),
    warn(message) {
      if (said.has(message)) return;
      said.add(message);
      console.warn(message);
    },
    progress: () => silent,
  };
}

/** True outside any inference. */
export function runsDirectly(handler: Handler = machine.handler): boolean {
  return handler === directHandler;
}

/** The handler outside any inference: choices are drawn from their own distributions, factors have no meaning. */
export const directHandler: Handler = {
  name: 'the program itself',

  sample(distribution) {
    return distribution.draw(machine.stream.begin());
  },

  factor() {
    throw new WaymarkError(
      'factor, condition and observe need an inference to weigh: call them inside the model given to Infer or Optimize.',
    );
  },
};

/** What executions that run together have in common. */
export interface Together {
  /** What `mem` remembers. */
  readonly memory: SharedMemory;
}

/** A way of running that reads the text for columns. */
export type Reading = 'columns' | 'recording';

/** What is known of the program of a run, and stays the same while it runs. */
export interface ProgramFacts {
  /** Whether it has a text for executions in columns, or for recordings. */
  hasColumnText: boolean;
  hasRecordingText: boolean;
  /** Why its functions cannot run for many executions at once; null if they can. */
  sideEffect: Reason | null;
  /** The same, where changes of objects that a function makes and keeps to itself do not matter; left out, it is `sideEffect`. */
  lasting?: Reason | null;
  /** Says in which way that text is read from now on, and gives that in which it was. Null if there is no such text, or it has not been read. */
  readAs: ((way: Reading | null) => Reading | null) | null;
  /** What gives the functions that it declares at top level, if it has such a text; one that is not there yet throws. */
  functions: (() => unknown)[];
  /** Whether the program keeps no state of its own, so that calls can be made again. Known of compiled programs only. */
  stateless: boolean;
  /** Whether functions of the program use the clock or the console. Known of compiled programs only. */
  looksOutside?: boolean;
  /** Whether they can with a copy of the store as it was, which is all the state that the program keeps. */
  resumable: boolean;
  /** Whether executions are expected to do much the same: see `compiler/analyse/even.ts`; left out where that is not known. */
  evenness?: 'even' | 'recursive' | 'uneven';
  /** How long what functions of the program see stays the same: see `compiler/analyse/closures.ts`. */
  settled: 'never' | 'inference' | 'always';
  /** Whether it cannot tell objects of the same contents apart, but for comparisons that `likeness.ts` is told of. */
  comparesContents: boolean;
}

/** Of functions that no compiler has seen nothing is known. */
const nothingKnown = (): ProgramFacts => ({
  ...{ hasColumnText: false, hasRecordingText: false, sideEffect: null, readAs: null, functions: [] },
  ...{ stateless: false, resumable: false, settled: 'never', comparesContents: false },
});

/** A step that is recorded to be repeated without the program, unless something obstructs that. */
export interface Repeatable {
  obstruct(code: ReasonCode, text: string): void;
}

/**
 * The state of this thread: of the run, of the execution that goes on in it, and of the mode that this execution is in. All fields of
 * the last two are the machine's own, and not those of objects it holds: compiled programs write `$m.address` before every
 * call and read `$m.lifted` in every function, where one more object on the way would cost as much as the call.
 */
export class Machine {
  // The run.
  run: Run = ownRun();
  program: ProgramFacts = nothingKnown();
  /** Executions so far. */
  executions = 0;
  /** Number of the inference that has none around it. */
  outermost = 0;
  /** Errors out of ways of running many as one, until it is known whether the program's or the engine's: see `faults.ts`. */
  suspects: unknown[] = [];
  /** Sides of conditions taken so far by some of those that run as one, as numbers that no execution has. */
  sides = -1;
  /** The random numbers of `Math.random`; null outside any program. */
  hostRandom: RandomStream | null = null;
  /** True while this process does its share of divided work, in which nothing is divided again. */
  apart = false;

  // The execution.
  address: Address = Address.root();
  handler: Handler = directHandler;
  stream: RandomStream = RandomStream.fromSeed(this.run.seed);
  /** The stream this execution began with. What `mem` remembers is drawn from it, whichever call asks first. */
  origin: RandomStream = this.stream;
  store: Store = storeOf();
  memo: MemoLayer = new MemoLayer(null);
  /** Where `param` looks values up. */
  params: ParameterTable = new ParameterTable();
  /** Where the current execution began: names of unnamed parameters are relative to it. */
  base: Address = this.address;
  /** Number of the current execution; never used twice, so marks left by older ones mean nothing. */
  execution = 0;
  /** Choices and factors met so far in this execution, so that functions that must not make any can be told. */
  effects = 0;
  /** The address of a call that `Entry.execute` makes itself, until the function called notices: see `returning.ts`. */
  top: Address | null = null;
  /** True while the handler is told of a factor by a function that returns if the execution is given up. */
  returns = false;
  /** True if it has been given up, until that function has returned. */
  gaveUp = false;
  /** What it has chosen so far, for guides that depend on it: see `guides/joint/preceding-choices.ts`. */
  preceding: object | null = null;
  /** Whether the function called now may return calls instead of making them, until it notices: see `Bounce` in `returning.ts`. */
  bounced = false;
  /** Whether calls in return position are to be handed over; handlers may change it at any time. */
  hands = false;
  /** The call that has just been handed over. */
  call: RemainingCall | null = null;
  /** What the program threw last, in its own words, with where that was if the value does not say: see `throwing.ts`. */
  thrown: { readonly value: unknown; readonly stack: string } | null = null;
  /** The datum of the innermost `mapData`; null outside any. */
  item: { readonly datum: unknown } | null = null;
  /** True while a part of the guide runs that is no function of a single choice: see `guides/guide-values.ts`. */
  forGuides = false;
  /** Models that the compiler knows more of than of their program, for the inference that comes next: see `known-models.ts`. */
  modelsApart: { readonly model: unknown; readonly facts: () => Partial<ProgramFacts> | null }[] = [];

  // The mode. What is an `object` here is known to the folder that puts it there, which has a typed view of it.
  /** True where programs run their second, lifted text: values may be nodes of a graph. */
  lifted = false;
  /** The lanes that run side by side in this execution (`src/lanes/`), if any. */
  lanes: LaneContext | null = null;
  /** Where executions run side by side with columns for values (`src/lanes/columns/`), or one is recorded, what they share. */
  columns: Together | null = null;
  /** Those executions, where there are several: see `current` in `lanes/columns/group.ts`. */
  sideBySide: object | null = null;
  /** What an execution is recorded on: see `recording` in `lanes/density/recorded.ts`. */
  tape: object | null = null;
  /** The step of an optimisation that is recorded, if it may be run again: see `lanes/recording.ts`. */
  rerun: Repeatable | null = null;
  /** Called with every value that the program looks at: a recording depends on it. */
  observer: ((node: Node, value: number | boolean | Tensor) => void) | null = null;
  /** Whether indices are looked at before items are gathered: see `lanes/gathering.ts`. */
  careful = false;
  /** Whether the parameters declared at the moment are kept in single precision: see `guides/network-parameters.ts`. */
  declaresSingle = false;
  /** Whether automatic guides inside `mapData` are networks of the datum: see `guides/datum-network.ts`. */
  guidesByNetwork = false;
  /** The datum that these look at. */
  datum: object | null = null;
  /** The automatic guide of all choices that an optimisation asks for: see `guides/joint/asked-guide.ts`. */
  jointGuide: object | null = null;
}

/** This thread's. A handler draws from `machine.stream`, and finds where the choice is in `machine.address`. */
export const machine: Machine = new Machine();

/** Starts a run: a fresh store, memo and random stream from the run's seed, outside any inference. */
export function startRun(run: Run): void {
  forgetEarlierRuns();
  machine.run = run;
  machine.address = Address.root();
  machine.handler = directHandler;
  machine.lifted = false;
  machine.lanes = null;
  machine.columns = null;
  machine.sideBySide = null;
  machine.tape = null;
  machine.rerun = null;
  machine.observer = null;
  machine.careful = false;
  machine.declaresSingle = false;
  machine.guidesByNetwork = false;
  machine.datum = null;
  machine.jointGuide = null;
  machine.preceding = null;
  machine.program = nothingKnown();
  machine.stream = RandomStream.fromSeed(run.seed);
  machine.origin = machine.stream;
  machine.store = storeOf();
  machine.memo = new MemoLayer(null);
  machine.params = run.params ?? new ParameterTable();
  machine.base = machine.address;
  // A run that failed may have left these as they were then.
  machine.top = null;
  machine.returns = false;
  machine.gaveUp = false;
  machine.bounced = false;
  machine.hands = false;
  machine.call = null;
  machine.thrown = null;
  machine.item = null;
  machine.forGuides = false;
  machine.modelsApart = [];
  machine.effects = 0;
  machine.suspects = [];
  machine.execution = ++machine.executions;
}

/**
 * Does some work with fields of the machine changed, and puts back what they were, however it ends. The one way to do so, but for
 * what is done for every execution or call, which has the names of its fields written out.
 */
export function during<R>(change: Partial<Machine>, work: () => R): R {
  return forAWhile(machine, change, work);
}
