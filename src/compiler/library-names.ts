/** What the compiler is told of the library. By itself it knows `globalStore`, `map` and lodash's `_` alone. */

/** What is told of a name. A name of which nothing is told may make choices and call functions that it is given. */
export interface LibraryName {
  /** A function that makes no choice and calls nothing back, or an object of such functions. Calls need no address. */
  readonly pure?: boolean;
  /** Which argument it calls, at once and never again, making no choice itself. */
  readonly calls?: number;
  /** What its result is: one object with the fields of all that it is given, a new list with at most items of theirs, or at most such an item. */
  readonly gives?: 'fields' | 'list' | 'items';
  /** Places of arguments that its result may be itself, or hold. Of the others of a pure function it holds items at most. */
  readonly handsOn?: readonly number[];
  /** Whether something of it stays when it is over, besides what it draws and gives: a weight, what is remembered, data that it divides. */
  readonly leavesTrace?: boolean;
  /** Whether a function that it is given stays, to be called later. */
  readonly keeps?: boolean;
  /** Executes a model, by the method of this name; `any`: by the one that its options name. */
  readonly infers?: string;
  /** Whether it takes steps between which it calls functions that it is given. */
  readonly steps?: boolean;
  /** Whether executions that call it, or a function of it, do much the same there: see `analyse/even.ts`. */
  readonly even?: boolean;
  /** Whether an execution may be over after it. */
  readonly weighs?: boolean;
  /** Whether a program can reach state through it that is not its own. */
  readonly state?: boolean;
  /** An object whose methods change nothing that outlives an execution. */
  readonly forgets?: boolean;
  /** Whether it looks at the table of parameters, or puts others there. */
  readonly params?: 'reads' | 'changes';
  /** Whether it speaks to the outside of the program, or hears from it. */
  readonly outside?: boolean;
  /** Whether modules import it from `waymark/webppl`. */
  readonly webppl?: boolean;
  /** Whether it is not the library's, but what another piece of the program has defined. */
  readonly own?: boolean;
  /** Whether a program that uses it may need gradients. */
  readonly gradients?: boolean;
}

export type LibraryNames = ReadonlyMap<string, LibraryName>;

/** Texts that functions have besides their plain one. */
export interface Texts {
  /** For execution under gradients. */
  readonly lifted: boolean;
  /** For executions side by side. */
  readonly columns: boolean;
  /** For recordings, which read the text for columns in their own way. */
  readonly recording: boolean;
}

/** What a program needs. */
export interface Needs {
  readonly texts: Texts;
  /** The largest number that is written for an option which says how often a model is executed, of methods that execute texts for columns. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What is told of methods of inference and their options. */
export interface MethodNames {
  /** The texts that each method needs, by its name. */
  readonly texts: ReadonlyMap<string, Texts>;
  /** The method that is meant where none is named. */
  readonly usual: string;
  /** Methods that have kernels, the options that name these, and the kernels that follow gradients. */
  readonly withKernels: ReadonlySet<string>;
  readonly kernelOptions: readonly string[];
  readonly gradientKernels: ReadonlySet<string>;
  /** Options, of choices and of methods, that ask for guides: the values that do; null: all values. */
  readonly guideOptions: ReadonlyMap<string, string | null>;
  /** Options that say how often a model is executed. */
  readonly countOptions: readonly string[];
}
