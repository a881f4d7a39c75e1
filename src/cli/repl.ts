/** The prompt of `waymark repl`. Inputs are evaluated in a thread of their own, which can be ended when it does not end. */
import { readFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import type { Engine } from '../runtime/machine.ts';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { Paint } from './colour.ts';
import type { ReplAnswer, ReplJob, ReplRequest } from './jobs.ts';
import { HISTORY, keepHistory, readHistory } from './repl-history.ts';
import { STOP, type StopFlag } from './signals.ts';
import { STDERR, STDOUT, write } from './streams.ts';
import { isTerminal } from './terminal.ts';
import { ending, startThread } from './thread.ts';

const STDIN = 0;
const PROMPT = '> ';
const GOES_ON = '… ';

const HELP = `Type a piece of a program; its value is shown, and what it defines stays.

  flip(0.5)                        a choice, drawn
  var coin = function() { … }      a definition, for later inputs
  viz(Infer(coin))                 any function of the library

An input that is not finished goes on in the next line; an empty line ends it as it is.
Ctrl-C gives up an input, or what is running. Tab completes names.

  .help          this
  .names         what has been defined
  .load FILE     evaluate a .wppl file
  .seed N        begin again with this seed, forgetting all definitions
  .forget        begin again
  .exit          end (Ctrl-D too)
`;

export class Repl {
  private readonly interactive = isTerminal(STDIN) && isTerminal(STDOUT);
  private readonly stop: StopFlag = new Int32Array(new SharedArrayBuffer(8));
  private readonly paint = new Paint(STDOUT);
  private thread!: Worker;
  private waiting: ((answer: ReplAnswer) => void) | undefined;
  private known: readonly string[] = [];
  private defined: readonly string[] = [];
  /** Lines of an input that is not finished. */
  private begun: string[] = [];
  private failed = false;
  private prompt!: Interface;

  constructor(private readonly settings: { seed: number; engine: Engine; quiet: boolean }) {}

  async run(): Promise<number> {
    await this.begin(this.settings.seed);
    this.prompt = createInterface({
      input: process.stdin,
      output: this.interactive ? process.stdout : undefined,
      terminal: this.interactive,
      historySize: HISTORY,
      history: this.interactive ? readHistory() : [],
      completer: (line: string, done: (error: null, result: [string[], string]) => void) =>
        void this.complete(line).then((result) => done(null, result)),
    });
    if (this.interactive) {
      write(STDOUT, 'Waymark. .help says what can be typed, .exit ends.\n');
      this.prompt.on('history', (lines: string[]) => keepHistory(lines));
      // Readline would take it as the end; here it gives up what is being done.
      this.prompt.on('SIGINT', () => this.interrupted());
      process.removeAllListeners('SIGINT').on('SIGINT', () => this.interrupted());
    }
    this.ask();
    for await (const line of this.prompt) {
      if ((await this.take(line)) === 'end') break;
      this.ask();
    }
    if (this.begun.length > 0) await this.evaluate(this.begun.join('\n'), false);
    this.prompt.close();
    await this.thread.terminate();
    // With a file as its input, the exit code says so.
    return this.interactive || !this.failed ? 0 : 1;
  }

  private ask(): void {
    if (!this.interactive) return;
    this.prompt.setPrompt(this.paint.text(this.begun.length === 0 ? PROMPT : GOES_ON, 'dim'));
    this.prompt.prompt();
  }

  private async take(line: string): Promise<'end' | undefined> {
    if (this.begun.length === 0 && /^\s*\.[a-z]/.test(line)) return this.command(line.trim());
    if (this.begun.length === 0 && line.trim() === '') return undefined;
    this.begun.push(line);
    await this.evaluate(this.begun.join('\n'), line.trim() !== '');
    return undefined;
  }

  private async evaluate(code: string, mayGoOn: boolean): Promise<void> {
    const answer = await this.send({ code, mayGoOn });
    if ('unfinished' in answer) return;
    this.begun = [];
    if ('done' in answer) {
      this.defined = answer.done;
      this.failed ||= answer.failed === true;
    }
  }

  private async command(line: string): Promise<'end' | undefined> {
    const [name, ...rest] = line.split(/\s+/);
    const argument = rest.join(' ');
    switch (name) {
      case '.exit':
        return 'end';
      case '.help':
        write(STDOUT, HELP);
        break;
      case '.names':
        write(STDOUT, `${this.defined.length === 0 ? 'Nothing has been defined.' : this.defined.join(', ')}\n`);
        break;
      case '.load':
        await this.load(argument);
        break;
      case '.seed':
        await this.seed(argument);
        break;
      case '.forget':
        await this.restart(this.settings.seed);
        break;
      default:
        write(STDERR, `There is no ${name}; .help lists what there is.\n`);
    }
    return undefined;
  }

  private async load(file: string): Promise<void> {
    let code: string;
    try {
      code = readFileSync(file, 'utf8');
    } catch (error) {
      write(STDERR, `${file === '' ? '.load needs a file' : (error as Error).message}.\n`);
      return;
    }
    await this.evaluate(code, false);
  }

  private async seed(text: string): Promise<void> {
    const seed = text === '' ? Number.NaN : Number(text);
    if (!isSeed(seed)) write(STDERR, `.seed needs ${SEED_KIND}, got '${text}'.\n`);
    else await this.restart(seed);
  }

  private async restart(seed: number): Promise<void> {
    this.settings.seed = seed;
    await this.thread.terminate();
    await this.begin(seed);
  }

  /** Starts the thread, and waits until it knows its names. */
  private async begin(seed: number): Promise<void> {
    const { engine, quiet } = this.settings;
    Atomics.store(this.stop, STOP, 0);
    this.defined = [];
    const columns = isTerminal(STDERR) ? process.stderr.columns || 80 : undefined;
    const job: ReplJob = { kind: 'repl', seed, engine, quiet, stop: this.stop, columns };
    const thread = startThread(job);
    this.thread = thread;
    const ready = this.next();
    thread.on('message', (answer: ReplAnswer) => this.hear(answer));
    void ending(thread).then(async (end) => {
      // The prompt has ended the thread, or the input has: memory ran out, `process.exit`.
      if (thread !== this.thread || this.waiting === undefined) return;
      write(STDERR, `${'fault' in end ? end.fault : 'The input has ended the thread.'} All definitions are gone.\n`);
      const { waiting } = this;
      await this.begin(this.settings.seed);
      waiting({ done: [], failed: true });
    });
    const answer = await ready;
    if ('known' in answer) this.known = answer.known;
  }

  private next(): Promise<ReplAnswer> {
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  private hear(answer: ReplAnswer): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.(answer);
  }

  private send(request: ReplRequest): Promise<ReplAnswer> {
    Atomics.store(this.stop, STOP, 0);
    const answer = this.next();
    this.thread.postMessage(request);
    return answer;
  }

  /** Asks what is running to end; the second time it is ended. With nothing running, what was begun is given up. */
  private interrupted(): void {
    if (this.waiting === undefined) {
      this.begun = [];
      // What is on the line goes too, before the cursor and after it.
      for (const name of ['u', 'k']) this.prompt.write(null as never, { ctrl: true, name });
      write(STDOUT, '\n');
      this.ask();
    } else if (Atomics.compareExchange(this.stop, STOP, 0, 130) === 0) {
      setTimeout(() => {
        if (this.waiting !== undefined && Atomics.load(this.stop, STOP) !== 0) {
          write(STDERR, 'Still running. Ctrl-C again ends it, and forgets all definitions.\n');
        }
      }, 1000).unref();
    } else {
      const { waiting } = this;
      this.waiting = undefined;
      write(STDERR, '\nEnded. All definitions are gone.\n');
      void this.restart(this.settings.seed).then(() => waiting?.({ done: [], failed: true }));
    }
  }

  /** Names that begin like the last word; after a dot, fields. */
  private async complete(line: string): Promise<[string[], string]> {
    const [word = ''] = /[\p{L}\p{N}_$.]*$/u.exec(line) ?? [];
    if (/^\.\w*$/.test(line)) return [COMMANDS.filter((name) => name.startsWith(line)), line];
    const path = word.split('.');
    const last = path.pop() as string;
    if (path.length === 0) {
      if (last === '') return [[], ''];
      const names = [...new Set([...this.known, ...this.defined])].filter((name) => name.startsWith(last)).sort();
      return [names, last];
    }
    if (this.waiting !== undefined) return [[], last];
    const answer = await this.send({ members: path });
    const names = 'members' in answer ? answer.members : [];
    return [names.filter((name) => name.startsWith(last)).sort(), last];
  }
}

const COMMANDS = ['.exit', '.forget', '.help', '.load', '.names', '.seed'];
