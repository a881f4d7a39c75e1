/** The worker's side: runs programs, and calls functions that are offered, one after the other. */
import { ownLine } from '../host/threads.ts';
import { type JsonValue, toJsonValue } from '../io/json-value.ts';
import { show } from '../library/show/value.ts';
import type { run } from '../program/run.ts';
import type { Listeners } from '../runtime/listeners.ts';
import type { Progress, Trace } from '../runtime/machine.ts';
import { withRun } from '../runtime/with-run.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { ProgressReport, Reply, Request, SentError, SentOptions, SentResult } from './messages.ts';

/** Functions that a worker offers, by name. */
export type Offered = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Milliseconds between two reports of progress. */
const TELL_MS = 50;

/** Offers functions of this worker to the thread that has started it: see `connect`. */
export function expose(functions: Offered): void {
  serve(functions);
}

/** Answers requests for as long as the thread lives. `runProgram` is given where programs can be compiled. */
export function serve(offered: Offered, runProgram?: typeof run): void {
  const line = ownLine();
  if (line === undefined) {
    throw new Error('expose is to be called in a worker: start the file that calls it with new Worker(…).');
  }
  line.onMessage(async (request: Request) => {
    const { id } = request;
    const reply = (message: object): void => line.send({ id, ...message } as Reply);
    try {
      reply({ result: await answer(request, offered, listeners(reply), runProgram) });
    } catch (thrown) {
      reply({ error: sentError(thrown) });
    }
  });
}

async function answer(
  request: Request,
  offered: Offered,
  told: Listeners,
  runProgram?: typeof run,
): Promise<SentResult | { returned: unknown }> {
  if (request.kind === 'run') {
    if (runProgram === undefined) throw new Error('This worker runs no programs: it offers functions.');
    const { value, params } = await runProgram(request.code, { ...given(request.options), ...told });
    return { value: recorded(value), text: value === undefined ? '' : show(value), params: sentParams(params) };
  }
  const { name, args, seed } = request;
  if (!Object.hasOwn(offered, name)) {
    throw new Error(`The worker offers no function '${name}'; it has ${Object.keys(offered).join(', ')}.`);
  }
  const called = offered[name] as (...args: readonly unknown[]) => unknown;
  const returned = await withRun({ ...told, seed }, () => ({ value: called(...args) })).value;
  return { returned: asData(returned) };
}

function given({ params, ...options }: SentOptions) {
  if (params === undefined) return options;
  const tensors = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : new Tensor([...value.dims], Float64Array.from(value.data)),
  ]);
  return { ...options, params: Object.fromEntries(tensors) as Record<string, Tensor | number> };
}

function sentParams(params: Readonly<Record<string, Tensor>>): SentResult['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, { dims, data }]) => [name, { dims, data: Float64Array.from(data) }]),
  );
}

function listeners(reply: (message: object) => void): Listeners {
  return {
    output: (value, text) => reply({ output: { value: recorded(value), text } }),
    warn: (warning) => reply({ warning }),
    progress: (label) => new Teller(label, reply),
  };
}

/** Passes on how far long work has come, now and then and at its end. */
class Teller implements Progress {
  private due = 0;
  private last: ProgressReport | null = null;
  private points: Trace['points'] = [];

  constructor(
    private readonly label: string,
    private readonly reply: (message: object) => void,
  ) {}

  update(done: number, total: number | undefined, note?: string, trace?: Trace): void {
    if (trace !== undefined) this.points = [...this.points, ...trace.points];
    const curve = trace === undefined ? undefined : { name: trace.name, points: this.points };
    this.last = { label: this.label, done, total, note, trace: curve };
    if (performance.now() >= this.due) this.tell();
  }

  finish(): void {
    this.tell();
  }

  private tell(): void {
    if (this.last === null) return;
    this.reply({ progress: this.last });
    this.due = performance.now() + TELL_MS;
    this.last = null;
    this.points = [];
  }
}

/** A value without a JSON form is no reason to fail. */
function recorded(value: unknown): JsonValue {
  try {
    return toJsonValue(value);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** What a thread can send as it is, and otherwise its JSON form: distributions, mostly. */
function asData(value: unknown): unknown {
  try {
    return plain(value) ? structuredClone(value) : toJsonValue(value);
  } catch {
    return toJsonValue(value);
  }
}

/** Whether cloning keeps all there is to a value: objects of classes would lose their methods. */
function plain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return typeof value !== 'function';
  if (Array.isArray(value)) return value.every(plain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(plain);
}

function sentError(thrown: unknown): SentError {
  const { located } = thrown as { located?: SentError };
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), report: String(thrown) };
  const { name, message } = thrown;
  if (located === undefined) return { name, message, report: message };
  const { hint, file, line, column } = located;
  return { name, message: located.message, hint, file, line, column, report: message };
}
