/** The loops of `kernel-module.ts`, and when V8 optimises each of them. */
import { decode, type ExportedFunction, type Memory, webAssembly } from '../../tensor/wasm/host.ts';
import { optimising } from '../../v8/optimising.ts';
import built from './kernel-module.ts?bytes';

/** Loops are optimised after some milliseconds, because optimising one takes as long as going over many numbers without. */
const LOOPS_AFTER = 100_000_000;

/**
 * From this many executions on loops are optimised at once, from this many draws on those that draw, which are longer and gain more by it: about as
 * many as make up for it.
 */
const MANY_EXECUTIONS = 262_144;
export const MANY_DRAWS = 32_768;

/** Loops over executions that are as long as those that draw. */
const LONG: ReadonlySet<string> = new Set(['exp', 'log', 'tanh', 'sigmoid', 'softplus', 'product']);

/** What a loop goes over: numbers of executions, their streams, or a choice that they make again and again. */
type Over = 'executions' | 'streams' | 'draws';

export class Loops {
  readonly all: Readonly<Record<string, ExportedFunction>>;
  /** Those that have been called, or are optimised beside the program. */
  private called = new Set<string>();
  /** How many executions there will be, and draws of choices of the same kind. */
  private executions = 0;
  private draws = 0;

  /** Those of the names `ahead` are optimised beside the program, where that can be. */
  constructor(memory: Memory, ahead: readonly string[]) {
    const bytes = decode(built);
    const make = (given: Uint8Array<ArrayBuffer>): object => new webAssembly!.Module(given);
    const module = optimising.after(LOOPS_AFTER, () => {
      const hinted = ahead.length === 0 ? null : optimising.ahead(bytes, ahead, make);
      if (hinted !== null) this.called = new Set(ahead);
      return hinted ?? make(bytes);
    });
    const env = { memory, log: Math.log, exp: Math.exp };
    this.all = new webAssembly!.Instance(module, { env }).exports;
  }

  /** Notes how many executions there will be, and how often each may make a choice of the same kind. */
  expect(executions: number, draws = 1): void {
    this.executions = executions;
    this.draws = executions * draws;
  }

  /** The loop of that name. */
  of(name: string, over: Over = 'executions'): ExportedFunction {
    const loop = this.all[name];
    if (this.called.has(name)) return loop;
    this.called.add(name);
    if (this.areMany(LONG.has(name) ? 'streams' : over)) optimising.now(() => loop(0));
    return loop;
  }

  private areMany(over: Over): boolean {
    if (over === 'executions') return this.executions >= MANY_EXECUTIONS;
    return (over === 'draws' ? this.draws : this.executions) >= MANY_DRAWS;
  }
}
