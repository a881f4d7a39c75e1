/** What the main thread asks the program's thread to do, and what it hears back. */
import type { JsonValue } from '../io/json-value.ts';
import type { Engine } from '../runtime/machine.ts';
import type { HelperStart } from './helper-threads.ts';
import type { RankJob } from './rank-launch.ts';
import type { StopFlag } from './signals.ts';
import type { Written } from './streams.ts';

/** Settings that every run of a program has, whichever command started it. */
interface RunSettings {
  readonly engine: Engine;
  /** No advice and no progress on stderr. */
  readonly quiet: boolean;
}

/** Run one program, print its value, write `json`. */
export interface RunJob extends RunSettings {
  readonly kind: 'run';
  readonly file: string;
  /** Its text, where it does not come from a file: `file` is then what errors call it. */
  readonly code: string | undefined;
  readonly seed: number;
  /** The file for the result; `-` is stdout, to which then nothing else is written. */
  readonly json: string | undefined;
  /** The page of the run, and the folder for its charts. */
  readonly html: string | undefined;
  readonly svg: string | undefined;
  /** A file for the contents of these as data, from which another thread draws them. */
  readonly blocks?: string;
  /** Parameter file, as given, and where it is. */
  readonly params: string | undefined;
  readonly paramsPlace: string | undefined;
  /** Tells the run to save what it has learned and end. */
  readonly stop: StopFlag | undefined;
  /** Whether the program is not trusted, and may do little. */
  readonly sandbox: boolean;
  /** The ranks to run it with, if this process is one of several. */
  readonly ranks: RankJob | undefined;
  /** Set where this is a thread that helps the one that runs the program. */
  readonly helper?: HelperStart;
  /** Go on from checkpoints. */
  readonly resume: boolean;
  readonly args: readonly string[];
  /** Say how long compiling, running and printing took. */
  readonly timing: boolean;
  /** Whether it runs in the first thread, whose stack is short and which hears no signals meanwhile. */
  readonly isHere?: boolean;
  /** What an earlier attempt has written, from the start. */
  readonly written?: Written;
  /** Whether to tell, at the end, which files were read. */
  readonly watched: boolean;
  /** Width of the terminal that progress may be drawn on. */
  readonly columns: number | undefined;
}

/** Run programs as they come in messages, and answer each. */
export interface BatchJob extends RunSettings {
  readonly kind: 'batch';
}

/** Compile files and report what is wrong with them. */
export interface CheckJob {
  readonly kind: 'check';
  readonly files: readonly string[];
  /** Whether type errors are wanted too. */
  readonly types: boolean;
  readonly quiet: boolean;
}

/** Run a program for what it gives, and tell of its progress meanwhile. */
export interface TaskJob {
  readonly kind: 'task';
  readonly file: string;
  readonly seed: number;
  readonly args: readonly string[];
  /** How many threads the engine may use: other tasks run beside this one. */
  readonly threads: number;
}

/** Evaluate inputs as they come in messages, and answer each. */
export interface ReplJob extends RunSettings {
  readonly kind: 'repl';
  readonly seed: number;
  readonly stop: StopFlag;
  readonly columns: number | undefined;
}

/** An input, which may be incomplete; or a request for the fields of the object that `a.b` stands for. */
export type ReplRequest =
  | { readonly code: string; readonly mayGoOn: boolean }
  | { readonly members: readonly string[] };

/** The thread is ready, with all names that it knows; an input is done, with the names defined so far; an input is incomplete; the fields. */
export type ReplAnswer =
  | { readonly known: readonly string[] }
  | { readonly done: readonly string[]; readonly failed?: true }
  | { readonly unfinished: true }
  | { readonly members: readonly string[] };

/** Answer requests for posteriors as they come in messages. */
export interface ServeJob extends RunSettings {
  readonly kind: 'serve';
  readonly file: string;
  /** The file of parameters, as given. */
  readonly params: string | undefined;
  /** The file of a network. */
  readonly net: string | undefined;
  readonly samples: number;
  readonly method: 'importance' | 'forward' | 'SMC';
  readonly seed: number;
  readonly args: readonly string[];
}

/** Write a module that holds a program and a network. */
export interface ExportJob extends RunSettings {
  readonly kind: 'export';
  readonly file: string;
  /** Paths of the file with the network, and of the folder for the module. */
  readonly net: string;
  readonly out: string;
}

/** Draw what a run has left as data. */
export interface DrawJob {
  readonly kind: 'draw';
  readonly blocks: string;
  readonly html: string | undefined;
  readonly svg: string | undefined;
  readonly quiet: boolean;
  readonly title: string;
  readonly about: string;
}

export type Job = DrawJob | RunJob | BatchJob | CheckJob | TaskJob | ReplJob | ServeJob | ExportJob;

/** A message from the thread of a task: how far it is, advice, or how it ended. */
export type TaskMessage =
  | { readonly progress: { label: string; done: number; total: number | undefined; note: string | undefined } }
  | { readonly warning: string }
  | { readonly value: JsonValue }
  | { readonly error: string };

/** What a watched run says at its end: the files that it read. */
export interface FilesMessage {
  readonly files: readonly string[];
}

/** A program, as a batch thread is sent it. */
export interface BatchProgram {
  readonly code: string;
  readonly seed: number;
  /** What errors call the program. */
  readonly name: string;
}

/** What a batch thread says once, when it can be sent programs. */
export const READY = 'ready';

/** A message from a batch thread: that it is ready, or a result. */
export type BatchMessage =
  | typeof READY
  | {
      /** That of the request. */
      readonly number: number;
      /** Its text. */
      readonly result: string;
      /** Whether the program has left something behind that others would see. */
      readonly spoilt: boolean;
    };

/** What the process of a batch is started with. */
export interface BatchSettings {
  readonly job: BatchJob;
  readonly limits: { readonly timeout?: number; readonly memory?: number };
}

/** A message to the process of a batch, and to the thread in it. */
export interface BatchRequest {
  readonly number: number;
  readonly program: BatchProgram;
}

/** A message from it: that a program is running now, or its result. */
export type BatchAnswer =
  | { readonly number: number; readonly started: true }
  | { readonly number: number; readonly result: string };
