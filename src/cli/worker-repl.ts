/** The thread of `waymark repl`: evaluates inputs as they come, and answers each. */
import { parentPort } from 'node:worker_threads';
import { show } from '../library/show/value.ts';
import { report } from '../program/report.ts';
import { isUnfinished, Session } from '../program/session.ts';
import { Interrupted } from '../runtime/signals.ts';
import { Paint } from './colour.ts';
import { CommandRun } from './command-run.ts';
import type { ReplAnswer, ReplJob, ReplRequest } from './jobs.ts';
import { ProgressLine } from './progress-bar.ts';
import { STOP } from './signals.ts';
import { redirectConsole, STDERR, STDOUT, write } from './streams.ts';

/** What errors call the inputs. */
const FILE = 'input';

const answer = (message: ReplAnswer): void => parentPort?.postMessage(message);

export async function serveRepl({ seed, engine, quiet, columns, stop }: ReplJob): Promise<void> {
  const [onStdout, onStderr] = [new Paint(STDOUT), new Paint(STDERR)];
  const line =
    columns === undefined || quiet
      ? undefined
      : new ProgressLine({ columns, draw: (text) => write(STDERR, text), now: () => performance.now() });
  redirectConsole(STDOUT, () => line?.clear());
  const audience = {
    print: (text: string) => void process.stdout.write(`${onStdout.value(text)}\n`),
    warn: quiet ? undefined : (message: string) => void process.stderr.write(`${onStderr.advice(message)}\n`),
    progress: line === undefined ? undefined : (label: string) => line.start(label),
    interrupt() {
      const code = Atomics.load(stop, STOP);
      if (code !== 0) throw new Interrupted(code);
    },
    keepsOutputs: false,
  };
  const session = await Session.start(new CommandRun(seed, process.cwd(), [], engine, audience), FILE);
  const evaluate = (code: string, mayGoOn: boolean): ReplAnswer => {
    try {
      const value = session.evaluate(code);
      line?.clear();
      if (value !== undefined) process.stdout.write(`${onStdout.value(shownInput(value))}\n`);
      return { done: [...session.names] };
    } catch (thrown) {
      line?.clear();
      if (mayGoOn && isUnfinished(thrown)) return { unfinished: true };
      const text = thrown instanceof Interrupted ? 'Interrupted.' : report(session.locate(thrown));
      write(STDERR, `${onStderr.error(text)}\n`);
      return { done: [...session.names], failed: true };
    }
  };
  parentPort?.on('message', (request: ReplRequest) => {
    if ('members' in request) answer({ members: membersOf(session, request.members) });
    else answer(evaluate(request.code, request.mayGoOn));
  });
  answer({ known: session.known });
}

/** Strings are shown in quotes at a prompt, to tell them from other values. */
const shownInput = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : show(value));

/** The fields of what a dotted path stands for. */
function membersOf(session: Session, path: readonly string[]): string[] {
  let value: unknown = session.valueOf(path[0]) ?? (globalThis as Record<string, unknown>)[path[0]];
  for (const name of path.slice(1))
    value = value === null || value === undefined ? undefined : Reflect.get(Object(value), name);
  const names = new Set<string>();
  for (
    let object = Object(value ?? {}) as object | null;
    object !== null && object !== Object.prototype;
    object = Object.getPrototypeOf(object)
  ) {
    for (const name of Object.getOwnPropertyNames(object)) if (/^[\p{L}$][\p{L}\p{N}_$]*$/u.test(name)) names.add(name);
  }
  for (const name of ['constructor', 'caller', 'callee', 'arguments', 'prototype', 'length', 'name'])
    if (typeof value === 'function') names.delete(name);
  return [...names];
}
