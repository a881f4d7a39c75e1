/** What pages, the frame and its workers tell each other. Everything that comes out of the frame is believed by nobody. */

export type Language = 'wppl' | 'ts' | 'js';

/** A program to run. */
export interface Job {
  readonly code: string;
  readonly language: Language;
  readonly seed: number;
  /** Megabytes that it may hold in arrays of numbers and tensors. */
  readonly memory?: number;
  /** Texts of files that `loadData` finds, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Programs whose top-level declarations this one may use, in order. */
  readonly before?: readonly string[];
}

/** What is wrong with a program, and where. */
export interface Fault {
  readonly message: string;
  readonly hint?: string;
  /** Counted from 1. Absent where no place is known, or where it is in a program that came before. */
  readonly line?: number;
  readonly column?: number;
  /** Calls in progress, innermost first. */
  readonly calls: readonly { readonly name: string; readonly line: number; readonly column: number }[];
  /** True of an error in a declaration of a program that came before. */
  readonly earlier?: boolean;
}

/** How far long work has come. */
export interface ProgressReport {
  /** Which of the program's pieces of work. */
  readonly work: number;
  readonly label: string;
  readonly done: number;
  readonly total?: number;
  readonly note?: string;
  /** A figure worth a curve: its name, and what has come since the last report. */
  readonly curve?: { readonly name: string; readonly points: readonly (readonly [number, number])[] };
  readonly finished?: boolean;
}

/** What a worker with the engine is asked. */
export type EngineRequest =
  | { readonly kind: 'run'; readonly job: Job }
  | { readonly kind: 'check'; readonly number: number; readonly job: Job };

/** What it answers. */
export type EngineReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly text: string; readonly chart?: object }
  | { readonly kind: 'value'; readonly text: string; readonly chart?: object }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'progress'; readonly report: ProgressReport }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** After the last word: how long it took. */
  | { readonly kind: 'end'; readonly milliseconds: number }
  | { readonly kind: 'checked'; readonly number: number; readonly fault?: Fault };

/** What a worker that draws is asked, and what it answers. */
export interface DrawRequest {
  readonly number: number;
  readonly spec: object;
  readonly dark: boolean;
  /** Pixels that a chart may be wide. */
  readonly width: number;
}
/** A mark of a chart: where it is in the picture, and what it stands for. */
export interface MarkPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

export type DrawReply =
  | {
      readonly number: number;
      readonly svg: string;
      readonly width: number;
      readonly height: number;
      readonly marks: readonly MarkPlace[];
    }
  | { readonly number: number; readonly problem: string };

export type WorkerKind = 'engine' | 'charts';

/** What the frame is asked. A worker gets the port that comes with `open`, and talks through it alone. */
export type FrameRequest =
  | { readonly kind: 'code'; readonly worker: WorkerKind; readonly text: string }
  | { readonly kind: 'open'; readonly worker: WorkerKind; readonly number: number }
  | { readonly kind: 'close'; readonly number: number }
  | { readonly kind: 'ping' };

/** What it says. */
export type FrameReply =
  | { readonly kind: 'pong' }
  /** A worker has failed as a whole. */
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
