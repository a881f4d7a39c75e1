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
 * if (slope > 0) { gaussian(…) }                         check that slope > 0 is as it was
 * ```
 *
 * - What the program looks at becomes a check, and so does every condition on parameters. If one does not hold, the step (or path) is made
 *   by executing the program, which goes its other way, or fails in its own words. If that happens often, recordings are given up.
 * - Of a conditional whose sides make no choices both are recorded, and its values are selected (`both-sides.ts`).
 * - Functions that know nothing of recorded values (lodash, most families) are called again with other numbers, if they return a
 *   number; what makes anything else of a recorded value ends the recording by `OneByOne`, and `--explain-batching` says why.
 * - The tape becomes one WebAssembly function without branches (`module.ts`), for the reason that columns have theirs. If no
 *   distribution of a choice depends on others, proposals are drawn in advance, and many steps are one call (`steps-code.ts`).
 * - A recording is only used if at the execution that was recorded it gives, to the last bit, what that gave.
 *
 * The law again holds to the last bit: `test/lanes/density.test.ts` and `paths.test.ts`.
 */
import { failsWithValues } from '../../runtime/faults.ts';
import { OneByOne } from '../../runtime/signals.ts';
import * as t from '../../tensor/elementwise/table.ts';
import type { Compute } from '../../tensor/node.ts';
import type { ScalarOp, ScalarValue } from '../../tensor/plan/scalar-writer.ts';
import { HeldValues, type Remembered } from './remembering.ts';

/** A host function, of as many numbers as it is given. */
export type HostFunction = (...numbers: number[]) => number;

/** A computation: an operation of the engine, or a host function. */
interface TapeOp extends ScalarOp {
  readonly fn?: HostFunction;
}

/** A number of the recording. */
export interface TapeNode extends ScalarValue<TapeNode> {
  readonly op: TapeOp;
  readonly source: { readonly kind: 'baked'; readonly data: number } | { readonly kind: 'input'; place: number } | null;
}

/** What happens to numbers, in the order of the program. */
export interface Statement {
  /**
   * A check is true as long as the recording holds. The scores of choices are kept, each by itself and their sum. A mark
   * keeps the sum of the factors so far.
   */
  readonly kind: 'check' | 'factor' | 'choice' | 'mark';
  /** Not used by marks. */
  readonly node: number;
}

/** Operations by the names that recordings know them by. Truth values are 0 and 1. */
export const operations = {
  add: t.ADD,
  sub: t.SUB,
  mul: t.MUL,
  div: t.DIV,
  neg: t.NEG,
  abs: t.ABS,
  sqrt: t.SQRT,
  floor: t.FLOOR,
  ceil: t.CEIL,
  trunc: t.TRUNC,
  min: t.MIN,
  max: t.MAX,
  lt: t.LT,
  le: t.LE,
  gt: t.GT,
  ge: t.GE,
  eq: t.EQ,
  and: t.AND,
  or: t.OR,
  not: t.NOT,
  /** The second if the first is true, else the third. */
  select: t.SELECT,
};
export type Operation = keyof typeof operations;

/** Of numbers that are not computed. Its number is that of all operations that are none of the engine's. */
const GIVEN: TapeOp = { id: -1, name: 'given' };
const NONE: readonly TapeNode[] = [];

/** The compilation of a longer recording does not pay. */
const MOST_NODES = 20_000;
/** What is recorded on trial may be so much, and come to so many conditions; all trials of a recording together, so many times as much. */
const MOST_TRIED = 500;
const ALL_TRIED = 10;

export class Tape {
  readonly nodes: TapeNode[] = [];
  /** What each number was in the execution recorded. */
  readonly values: number[] = [];
  readonly statements: Statement[] = [];
  inputs = 0;
  private readonly constants = new Map<string | number, number>();
  private readonly known = new Map<string, number>();
  private readonly checked = new Set<number>();
  private readonly calls = new Map<HostFunction, TapeOp[]>();
  private most = MOST_NODES;
  /** Objects that the execution has made for itself, and may change. */
  readonly owned: object[] = [];
  /** Calls of host functions that remember. */
  readonly remembered: Remembered[] = [];
  /** Values that are no numbers. */
  readonly held = new HeldValues(this.remembered);
  /** How many values are tables. */
  tables = 0;
  /** Choices, and what else cannot be taken back. */
  effects = 0;
  /** Whether a side of a condition is recorded that the execution does not take. */
  private isTrial = false;
  /** Conditions met, and numbers computed, on trial; and where the trial at hand ends. */
  private tried = 0;
  private mostTried = 0;

  constructor(
    /** Whether values other than numbers may be tables (`tables.ts`). */
    readonly takesTables = true,
  ) {}

  isConstant(node: number): boolean {
    return this.nodes[node].source?.kind === 'baked';
  }

  constant(value: number): number {
    // A map takes both zeros for one.
    const key = Object.is(value, -0) ? '-0' : value;
    let node = this.constants.get(key);
    if (node === undefined) {
      node = this.add(GIVEN, NONE, { kind: 'baked', data: value }, value);
      this.constants.set(key, node);
    }
    return node;
  }

  /** The value of the next choice. */
  input(value: number): number {
    return this.add(GIVEN, NONE, { kind: 'input', place: this.inputs++ }, value);
  }

  operate(name: Operation, ...operands: readonly number[]): number {
    const { values } = this;
    const [a, b, c] = operands;
    if (name === 'select' && this.isConstant(a)) return values[a] !== 0 ? b : c;
    const op = operations[name];
    const value = (op.compute as Compute)(values[a], values[b], values[c]);
    return this.found(`${name} ${operands}`, op, operands, value);
  }

  /** Whether a number is neither 0 nor NaN. */
  truthy(node: number): number {
    return this.operate('gt', this.operate('abs', node), this.constant(0));
  }

  finite(node: number): number {
    return this.operate('lt', this.operate('abs', node), this.constant(Infinity));
  }

  /** Whether a number is this one, which is not NaN; there are two zeros. */
  same(node: number, number: number): number {
    const equal = this.operate('eq', node, this.constant(number));
    if (number !== 0) return equal;
    const inverse = this.operate('div', this.constant(1), node);
    return this.operate('and', equal, this.operate('eq', inverse, this.constant(1 / number)));
  }

  /** What a function without effects gives. */
  call(fn: HostFunction, ...operands: readonly number[]): number {
    const byArity = this.calls.get(fn) ?? [];
    this.calls.set(fn, byArity);
    byArity[operands.length] ??= { id: GIVEN.id, name: `f${this.calls.size}of${operands.length}`, fn };
    const op = byArity[operands.length];
    return this.found(`${op.name} ${operands}`, op, operands, fn(...operands.map((node) => this.values[node])));
  }

  private found(key: string, op: TapeOp, operands: readonly number[], value: number): number {
    if (operands.every((node) => this.isConstant(node))) return this.constant(value);
    let node = this.known.get(key);
    if (node === undefined) {
      const inputs = operands.map((operand) => this.nodes[operand]);
      node = this.add(op, inputs, null, value);
      this.known.set(key, node);
    }
    return node;
  }

  private add(op: TapeOp, inputs: readonly TapeNode[], source: TapeNode['source'], value: number): number {
    this.tick();
    const { length: id } = this.nodes;
    if (id === this.most) throw new OneByOne('limit', 'the program computes too many numbers to record');
    this.nodes.push({ id, op, inputs, source });
    this.values.push(value);
    return id;
  }

  /** Adds a guard: the recording holds as long as this is true, as it is now. */
  check(node: number): void {
    if (this.values[node] === 0 && !this.isTrial)
      throw new OneByOne('choices', 'something does not hold that was taken for granted');
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

  /** Something is done that cannot be taken back. */
  effect(): void {
    if (this.isTrial) throw new OneByOne('choices', 'a side that is not taken makes choices');
    this.effects++;
  }

  /** Whether there is room for one more trial. */
  get mayTry(): boolean {
    return this.isTrial || this.tried < ALL_TRIED * MOST_TRIED;
  }

  /** Told of every condition, and of every number: a side that is not taken might not come to an end. */
  tick(): void {
    if (this.isTrial && ++this.tried > this.mostTried)
      throw new OneByOne('limit', 'a side of a condition that is not taken computes too much');
  }

  /** Records a side that the execution does not take; undefined where that cannot be done, or where the program fails with these values. */
  trial(side: () => unknown): { readonly value: unknown } | undefined {
    const { isTrial } = this;
    if (!isTrial) this.mostTried = this.tried + MOST_TRIED;
    this.isTrial = true;
    try {
      return { value: side() };
    } catch (thrown) {
      if (!failsWithValues(thrown)) throw thrown;
      return undefined;
    } finally {
      this.isTrial = isTrial;
    }
  }

  /** Takes what came after the first so many statements away, to be stated again. */
  takeBack(length: number): readonly Statement[] {
    const taken = this.statements.splice(length);
    for (const { kind, node } of taken) if (kind === 'check') this.checked.delete(node);
    return taken;
  }

  /** States again what was taken back; `as` makes another number of each, from it and from one that says nothing. */
  restate(statements: readonly Statement[], as = (node: number, _none: number): number => node): void {
    for (const { kind, node } of statements) {
      if (kind === 'check') this.check(as(node, this.constant(1)));
      else if (kind === 'factor') this.factor(as(node, this.constant(0)));
      else this.statements.push({ kind, node });
    }
  }

  /** The program has ended: what is added now to finish the recording has no limit. */
  end(): void {
    this.most = Infinity;
  }
}
