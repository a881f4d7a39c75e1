/** The state of emitting one unit, and the way from one kind of syntax to the next. */
import type { CallExpression, Expression, IfStatement, Node, Pattern, Statement } from 'acorn';
import type { AddressFree } from '../analyse/address-free.ts';
import type { Analysis } from '../analyse/analysis.ts';
import type { Closures } from '../analyse/closures.ts';
import type { LastingCalls } from '../analyse/lasting-calls.ts';
import { STORE } from '../analyse/names.ts';
import { RejectionLoops } from '../analyse/rejection-loops.ts';
import type { Binding } from '../analyse/scope.ts';
import type { SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import { bare, isTypeOnly, type Language } from '../parse/syntax.ts';
import { FunctionState } from './function-state.ts';
import type { Prelude } from './prelude.ts';
import type { Returned } from './returned.ts';
import { type Slot, Writer } from './writer.ts';

type Emit<N> = (e: Emission, node: N) => void;

/** Lifted values, or those for executions side by side. */
export type Owner = '$L' | '$C';

/**
 * How the parts of a program are written. Everything that depends on what values may be – operators, conditions,
 * member reads, calls – is chosen here and nowhere else, so that a second mode of execution is a second table.
 */
export interface Mode {
  /** The object that operators, conditions and calls are functions of, where values may be more than plain ones. */
  readonly owner?: Owner;
  readonly expressions: { readonly [type: string]: Emit<never> };
  /** Whether it matters that the program changes something it shares. */
  readonly tellsOfWrites: boolean;
  /** Writes the statements of a function's body, where that takes more than one after the other. */
  body?(e: Emission, statements: readonly Node[], tail: boolean): void;
  /** Writes an `if` whose value is not used, and gives true; false leaves it to be written as it stands. */
  effects?(e: Emission, node: IfStatement): boolean;
  /** The test of `if`, `?:` and loops. */
  condition(e: Emission, test: Expression): void;
  /** The function that stands for a binary operator, or undefined if the operator is left to JavaScript. */
  binary(e: Emission, operator: string): string | undefined;
  unary(e: Emission, name: 'neg' | 'inc' | 'dec' | 'numeric'): string;
  /** `Math` with WebPPL's additions. */
  readonly math: string;
  /** The text for a name of the library, given the constant that holds its plain value. */
  libraryName(e: Emission, constant: string): string;
}

/** What is written after a model, for the runtime. */
export type ModelNote = () => string;

/** Writers of statements, by type; `tail` is true where the value of the statement is that of the function. */
export interface StatementTable {
  readonly [type: string]: (e: Emission, node: never, tail: boolean) => void;
}

/** Where a call is, for what is named after call sites. */
export interface Site {
  readonly number: number;
  readonly offset: number;
  /** Where the text of the function called ends; undefined if the site is no call. */
  readonly calleeEnd: number | undefined;
}

/** Expressions that need no parentheses as an operand, whatever the operator. */
const ATOMS = new Set([
  'Identifier',
  'Literal',
  'MemberExpression',
  'CallExpression',
  'ArrayExpression',
  'TemplateLiteral',
  'TaggedTemplateExpression',
  'SequenceExpression',
]);

export class Emission {
  readonly out = new Writer();
  fn = new FunctionState();
  /**
   * The conditional whose sides are being written, where they change variables of functions around this one: the constant that says whether what
   * they change is merged.
   */
  sided: {
    readonly fn: FunctionState;
    readonly constant: string;
    readonly bindings: ReadonlySet<Binding>;
  } | null = null;
  readonly sites: Site[] = [];
  private readonly sitesAt = new Map<number, number[]>();
  private outerWrites: Set<Node> | null = null;
  /** True inside `a?.b…`, where nothing may be wrapped around a part of the chain. */
  inChain = false;
  /** True while a model is written as a function of what it is closed over. */
  rebinding = false;
  /** True where the text is a host module, which has imports of its own. */
  isModule = false;
  private loops = 0;
  readonly rejections: RejectionLoops;
  /** Variables that hold the rounds of loops that reject, by the statements that leave these. */
  readonly roundsAt = new Map<Node, string>();
  /** Where what loops return waits, of those whose statement says what comes after: see `loop-returns.ts`. */
  readonly returning = new Map<Node, Returned>();
  private labels = '';
  /** The mode of the first text of each function. */
  readonly plain: Mode;

  constructor(
    readonly analysis: Analysis,
    readonly source: SourceText,
    readonly language: Language,
    /** Calls that need no address. */
    readonly addressFree: AddressFree,
    readonly library: LibraryNames,
    /** Library names used without import. */
    readonly free: ReadonlySet<string>,
    readonly prelude: Prelude,
    public mode: Mode,
    /** The mode of the second text of each function, if there is to be one. */
    readonly second: Mode | undefined,
    /** The mode of their text for executions side by side, if there is to be one. */
    readonly columns: Mode | undefined,
    private readonly statements: StatementTable,
    private readonly patterns: Emit<Pattern>,
    private readonly firstSite: number,
    private readonly closures: Closures,
    private readonly lastingCalls: LastingCalls,
    /** What the runtime is told of arguments that are models, or hold one: see `analyse/models-apart.ts`, `analyse/app-models.ts`. */
    readonly modelsApart: ReadonlyMap<Node, ModelNote>,
    /** Whether reading a field, or making a number of an object, may run text of the program. */
    readonly accessors: boolean,
  ) {
    this.plain = mode;
    this.rejections = new RejectionLoops(analysis, library);
  }

  /** Writes an expression where any expression but a bare sequence may stand. */
  expression(given: Expression | Node): void {
    const node = bare(given);
    const emit = this.mode.expressions[node.type];
    if (emit === undefined) throw this.source.error(`${node.type} is not supported here.`, node.start);
    emit(this, node as never);
  }

  /** Writes an expression as part of a larger one. */
  operand(given: Expression | Node): void {
    const node = bare(given);
    // Without its brackets, `(3).toFixed` would be no number.
    if (ATOMS.has(node.type) && typeof (node as { value?: unknown }).value !== 'number') {
      this.expression(node);
      return;
    }
    this.text('(');
    this.expression(node);
    this.text(')');
  }

  statement(node: Statement | Node, tail: boolean): void {
    if (isTypeOnly(node)) return;
    const emit = this.statements[node.type];
    if (emit === undefined) throw this.source.error(`${node.type} is not supported here.`, node.start);
    emit(this, node as never, tail);
  }

  pattern(node: Pattern): void {
    this.patterns(this, node);
  }

  text(text: string): void {
    this.out.text(text);
  }

  /** Writes text that stands for what is at `offset` in the source. */
  marked(offset: number, text: string): void {
    this.out.mark(offset);
    this.out.text(text);
  }

  slot(): Slot {
    return this.out.slot();
  }

  /** The address of a new call site; the function called is the text of `callee`. */
  address(callee: Node): string {
    this.fn.calls++;
    return `${this.fn.base}.at(${this.newSite(callee.start, callee.end)})`;
  }

  /** The address of a call whose callbacks make no choices. It counts as a call, since it changes the address. */
  nowhere(): string {
    this.fn.calls++;
    return '$.nowhere()';
  }

  /** The number of a call site. Emitting the same function again, in another mode, gives the same numbers. */
  newSite(offset: number, calleeEnd?: number): number {
    const here = this.sitesAt.get(offset) ?? [];
    this.sitesAt.set(offset, here);
    const known = here[this.fn.countSite(offset)];
    if (known !== undefined) return known;
    const number = this.firstSite + this.sites.length;
    this.sites.push({ number, offset, calleeEnd });
    here.push(number);
    return number;
  }

  /** True where the function may return to the runtime in place of the program: see `returns.ts`. */
  get mayReturn(): boolean {
    return this.fn.returns && this.mode !== this.second && this.mode !== this.columns;
  }

  /** True if functions have texts besides their plain one. */
  get hasOtherTexts(): boolean {
    return this.second !== undefined || this.columns !== undefined;
  }

  /** Runs `work` with another mode in force. */
  inMode(mode: Mode, work: () => void): void {
    const outer = this.mode;
    this.mode = mode;
    work();
    this.mode = outer;
  }

  /** A number for the variables of a loop, unique in the unit. */
  newLoop(): number {
    return ++this.loops;
  }

  /** Labels that the loop emitted next writes right before itself. */
  giveLabels(labels: string): void {
    this.labels = labels;
  }

  /** Whether what is written next has labels. */
  get hasLabels(): boolean {
    return this.labels !== '';
  }

  takeLabels(): string {
    const { labels } = this;
    this.labels = '';
    return labels;
  }

  binding(node: Node): Binding | undefined {
    return this.analysis.resolve(node);
  }

  /** True if the identifier is this name of JavaScript or the library, not one of the program's own. */
  isFree(node: Node, name: string): boolean {
    return node.type === 'Identifier' && (node as { name?: string }).name === name && this.binding(node) === undefined;
  }

  /**
   * For a function literal whose doings depend on nothing but some variables around it: a text that tells it from all
   * others of the program, and a function that gives the values of these variables. Both as arguments of a call.
   */
  closure(literal: Node): string {
    const names = this.closedOver(literal);
    return names === undefined ? '' : `, '${this.firstSite}:${literal.start}', () => [${names.join(', ')}]`;
  }

  /** Whether the runtime is told when two objects are compared: what an inference gives may then depend on which they are. */
  get tellsComparisons(): boolean {
    return this.mode === this.plain && this.closures.settled !== 'never';
  }

  /** Whether a function literal makes functions that stay, of which the runtime is told in ordinary executions. */
  isMade(literal: Node): boolean {
    return this.mode === this.plain && !this.rebinding && this.closures.isMade(literal);
  }

  /** Whether the runtime is asked for what a call gave before. */
  isLasting(call: CallExpression): boolean {
    if (this.inChain || this.closures.settled === 'never') return false;
    // Where executions run side by side, functions of the unit alone see nothing that differs but what they are given.
    const isSeen =
      this.mode === this.plain ||
      (this.mode === this.columns && this.binding(bare(call.callee))?.scope.home.kind === 'unit');
    return isSeen && this.lastingCalls.isLasting(call);
  }

  /** The names of these variables; undefined if its doings depend on more. */
  closedOver(literal: Node): readonly string[] | undefined {
    return this.closures.variablesOf(literal)?.map(({ emitted }) => emitted);
  }

  /** True where a variable of an outer function is assigned to. */
  isOuterWrite(identifier: Node): boolean {
    if (this.outerWrites === null) {
      this.outerWrites = new Set();
      for (const { node, scope, write } of this.analysis.references) {
        const binding = write === undefined ? undefined : this.binding(node);
        if (binding !== undefined && scope.home !== binding.scope.home) this.outerWrites.add(node);
      }
    }
    return this.outerWrites.has(identifier);
  }

  /** The constant that holds in which execution a variable came to be; undefined if it belongs to none. */
  executionOf(identifier: Node): string | undefined {
    const binding = this.binding(identifier);
    return binding && this.executionOfBinding(binding);
  }

  executionOfBinding({ scope: { home } }: Binding): string | undefined {
    let state: FunctionState | null = this.fn;
    while (state !== null && state.home !== home) state = state.outer;
    return state?.execution();
  }

  /** True of `globalStore`, under whatever name it was imported. */
  isStore(given: Node): boolean {
    const node = bare(given) as { type: string; name?: string };
    if (node.type !== 'Identifier') return false;
    const binding = this.binding(node as Node);
    if (binding === undefined) return node.name === STORE && this.free.has(STORE);
    return binding.import !== undefined && binding.import.module === undefined && binding.import.name === STORE;
  }

  /** Runs `work`, which writes something that is inside an optional chain's brackets but not a part of the chain. */
  apart(work: () => void): void {
    const { inChain } = this;
    this.inChain = false;
    work();
    this.inChain = inChain;
  }

  /** Runs `work` with the state of a new function in force. */
  inFunction(state: FunctionState, work: () => void): void {
    const { fn } = this;
    state.outer = fn;
    this.fn = state;
    this.apart(work);
    this.fn = fn;
  }
}
