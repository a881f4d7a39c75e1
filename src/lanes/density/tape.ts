/**
 * A recorded execution as a list of numbers, each computed from earlier ones: what its choices and factors score, and what
 * has to hold for the program to take the same way with other values. Equal computations are recorded once.
 *
 * **Recorded densities.** A Metropolis–Hastings chain changes one choice at a time, and most programs then go the same way with
 * other numbers. So what an execution computes is recorded, once (`src/lanes/density/`), and steps evaluate the recording
 * (`inference/chains/recorded-steps.ts`). Likewise the paths of an enumeration depth first that go through the same choices
 * (`recorded-paths.ts`). Programs that use these methods have the text for columns too, and there `$C` has another meaning: a
 * value that depends on choices is `Recorded`, a number on a `Tape`. In a program that asks for both, `$C` and the library names of that
 * text are variables, and what they stand for changes while a recording is made (`program/readings.ts`).
 *
 * ```
 * var slope = gaussian(0, 3);                           input 0, and its score
 * observe(Gaussian({mu: slope * x, sigma: s}), y);      check that s > 0; factor −0.5·z·z − log s − …
 * if (slope > 0) { … }                                  check that slope > 0 is as it was
 * ```
 *
 * - What the program looks at becomes a check, and so does every condition on parameters. If one does not hold, the step (or path) is made
 *   by executing the program, which goes its other way, or fails in its own words. If that happens often, recordings are given up.
 * - Functions that know nothing of recorded values (lodash, most families) are called again with other numbers, if they return a
 *   number; what makes anything else of a recorded value ends the recording by `OneByOne`, and `--explain-batching` says why.
 * - The tape becomes one WebAssembly function without branches (`module.ts`), for the reason that columns have theirs. If no
 *   distribution of a choice depends on others, proposals are drawn in advance, and many steps are one call (`steps-code.ts`).
 * - A recording is only used if at the execution that was recorded it gives, to the last bit, what that gave.
 *
 * The law again holds to the last bit: `test/lanes/density.test.ts` and `paths.test.ts`.
 */
import { OneByOne } from '../../runtime/signals.ts';
import { type Operation, operations } from './operations.ts';

/** A function of the host, of as many numbers as it is given. */
export type HostFunction = (...numbers: number[]) => number;

/** How a number is found. */
export type Source =
  | { readonly kind: 'constant' }
  /** The value of a choice. */
  | { readonly kind: 'input'; readonly place: number }
  | { readonly kind: 'operation'; readonly operation: Operation; readonly operands: readonly number[] }
  | { readonly kind: 'call'; readonly fn: HostFunction; readonly operands: readonly number[] };

/** What is done with numbers, in the order of the program. */
export interface Statement {
  /**
   * A check is true as long as the recording holds. The scores of choices are kept, each by itself and their sum. A mark
   * keeps the sum of the factors so far.
   */
  readonly kind: 'check' | 'factor' | 'choice' | 'mark';
  /** Of a mark, of no account. */
  readonly node: number;
}

/** A longer recording is not worth its compilation. */
const MOST_NODES = 20_000;

export class Tape {
  readonly sources: Source[] = [];
  /** What each number was in the execution recorded. */
  readonly values: number[] = [];
  readonly statements: Statement[] = [];
  inputs = 0;
  private readonly constants = new Map<string | number, number>();
  private readonly known = new Map<string, number>();
  private readonly checked = new Set<number>();
  private readonly names = new Map<object, number>();

  isConstant(node: number): boolean {
    return this.sources[node].kind === 'constant';
  }

  constant(value: number): number {
    // A map takes both zeros for one.
    const key = Object.is(value, -0) ? '-0' : value;
    let node = this.constants.get(key);
    if (node === undefined) {
      node = this.add({ kind: 'constant' }, value);
      this.constants.set(key, node);
    }
    return node;
  }

  /** The value of the next choice. */
  input(value: number): number {
    return this.add({ kind: 'input', place: this.inputs++ }, value);
  }

  operate(name: keyof typeof operations, ...operands: readonly number[]): number {
    const operation: Operation = operations[name];
    const [a, b, c] = operands;
    const { values } = this;
    if (name === 'select' && this.isConstant(a)) return values[a] !== 0 ? b : c;
    const value = operation.compute(values[a], values[b], values[c]);
    return this.found(`${name} ${operands}`, operands, value, { kind: 'operation', operation, operands });
  }

  /** What a function without effects gives. */
  call(fn: HostFunction, ...operands: readonly number[]): number {
    const value = fn(...operands.map((node) => this.values[node]));
    let name = this.names.get(fn);
    if (name === undefined) {
      name = this.names.size;
      this.names.set(fn, name);
    }
    return this.found(`${name} ${operands}`, operands, value, { kind: 'call', fn, operands });
  }

  private found(key: string, operands: readonly number[], value: number, source: Source): number {
    if (operands.every((node) => this.isConstant(node))) return this.constant(value);
    let node = this.known.get(key);
    if (node === undefined) {
      node = this.add(source, value);
      this.known.set(key, node);
    }
    return node;
  }

  private add(source: Source, value: number): number {
    if (this.sources.length === MOST_NODES)
      throw new OneByOne('limit', 'the program computes too many numbers to record');
    this.sources.push(source);
    this.values.push(value);
    return this.sources.length - 1;
  }

  /** The recording holds as long as this is true, as it is now. */
  check(node: number): void {
    if (this.values[node] === 0) throw new OneByOne('choices', 'something does not hold that was taken for granted');
    if (this.isConstant(node) || this.checked.has(node)) return;
    this.checked.add(node);
    this.statements.push({ kind: 'check', node });
  }

  factor(node: number): void {
    this.statements.push({ kind: 'factor', node });
  }

  choice(node: number): void {
    this.statements.push({ kind: 'choice', node });
  }

  mark(): void {
    this.statements.push({ kind: 'mark', node: this.constant(0) });
  }
}
