/** A run started from the command line: it prints as it goes, and keeps a record for `--json`. */
import { type JsonValue, toJsonValue } from '../io/json-value.ts';
import { drawnData } from '../library/viz/chart.ts';
import type { RunRecord } from '../report/record.ts';
import type { Helpers } from '../runtime/helpers.ts';
import type { Engine, Progress, Run } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import type { Team } from '../runtime/team.ts';

const silent: Progress = { update() {}, finish() {} };

/** The label under which optimisations report progress. */
const OPTIMISATION = 'Optimize';

/** Where the output of a run goes. Output for which there is no function is dropped. */
export interface Audience {
  /** Text that the program outputs. */
  print?(text: string): void;
  /** Advice, each said once. */
  warn?(message: string): void;
  progress?(label: string): Progress;
  /** Told of optimisations that begin, and of those that end. */
  learning?(change: 1 | -1): void;
  /** Keeps what a page of the run shows. */
  readonly record?: RunRecord;
  /** Asked between steps: throws if the run is to end. */
  interrupt?(): void;
  /** Whether a record of the outputs is wanted. */
  readonly keepsOutputs: boolean;
}

export class CommandRun implements Run {
  /** Outputs so far, in their JSON form: later changes to a value do not change what was output. */
  readonly outputs: JsonValue[] = [];
  /** Set when a program that can compile others is run. */
  evaluate?: (code: string) => unknown;
  fingerprint?: () => string;
  placeOf?: (site: number) => string | undefined;
  private readonly said = new Set<string>();

  constructor(
    readonly seed: number,
    readonly folder: string,
    readonly args: readonly string[],
    readonly engine: Engine,
    private readonly audience: Audience,
    readonly params?: ParameterTable,
    readonly resume?: boolean,
    readonly team?: Team,
    readonly isShallow?: boolean,
    readonly helpers?: Helpers,
  ) {}

  checkRoom(): void {
    if (this.isShallow) this.audience.interrupt?.();
  }

  output(value: unknown, text: string): void {
    this.helpers?.prints?.();
    if (this.audience.keepsOutputs) this.outputs.push(recorded(value));
    this.audience.record?.output(value, text);
    this.audience.print?.(text);
  }

  warn(message: string): void {
    this.helpers?.warns?.(message);
    if (this.said.has(message)) return;
    this.said.add(message);
    this.audience.record?.warn(message);
    this.audience.warn?.(message);
  }

  progress(label: string): Progress {
    const { interrupt, learning, record } = this.audience;
    const shown = this.audience.progress?.(label) ?? silent;
    if (interrupt === undefined && record === undefined) return shown;
    const learns = label === OPTIMISATION;
    const curve = learns ? record?.curve() : undefined;
    if (learns) learning?.(1);
    return {
      update(done, total, note, trace) {
        if (trace !== undefined) curve?.(trace);
        interrupt?.();
        shown.update(done, total, note, trace);
      },
      finish() {
        if (learns) learning?.(-1);
        shown.finish();
      },
    };
  }
}

/** A value without a JSON form is no reason to stop a program that only displayed it. */
function recorded(value: unknown): JsonValue {
  try {
    return toJsonValue(drawnData(value));
  } catch (error) {
    return { error: (error as Error).message };
  }
}
