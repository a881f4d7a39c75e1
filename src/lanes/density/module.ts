/**
 * A recording as WebAssembly, which V8 turns into machine code in a fraction of the time that it takes to learn what
 * JavaScript does. There are no branches: all numbers are computed, and what has to hold is found along the way.
 */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Import,
  ModuleBuilder,
} from '../../tensor/wasm/assembler.ts';
import { f64, i32, select } from '../../tensor/wasm/instructions.ts';
import { CHOICE_SCORE, FACTOR_SCORE, IMPOSSIBLE, SAME_WAY, SCORES, UNKNOWN } from './results.ts';
import { addSteps, type KeptLeaves } from './steps-code.ts';
import type { HostFunction, Tape } from './tape.ts';

const BYTES = 8;
/** Numbers used once are written where they are used, up to this depth. */
const DEEPEST = 24;

const { and, or } = i32;

export interface DensityModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By the names under which they are imported. */
  readonly functions: ReadonlyMap<string, HostFunction>;
}

/**
 * `density(results)`: reads values at the start of memory, writes to `results`, in bytes, and returns what it found. With leaves
 * to keep, also `steps` of a chain (`steps-code.ts`).
 */
export function densityModule(tape: Tape, leaves: readonly number[], kept: KeptLeaves | null): DensityModule {
  const imports = new Imports(tape);
  const module = new ModuleBuilder(imports.list);
  const density = module.function('density', [I32], [I32], (b) => new Writer(tape, leaves, module, imports, b).write());
  if (kept !== null) addSteps(module, density, kept);
  return { bytes: module.build(false), functions: imports.functions };
}

/** Functions of the host; one that takes different numbers of arguments is imported for each. */
class Imports {
  readonly list: Import[] = [];
  readonly functions = new Map<string, HostFunction>();
  private readonly names = new Map<HostFunction, Map<number, string>>();

  constructor(tape: Tape) {
    for (const source of tape.sources) if (source.kind === 'call') this.add(source.fn, source.operands.length);
  }

  nameOf(fn: HostFunction, arity: number): string {
    return this.names.get(fn)!.get(arity)!;
  }

  private add(fn: HostFunction, arity: number): void {
    const byArity = this.names.get(fn) ?? new Map<number, string>();
    this.names.set(fn, byArity);
    if (byArity.has(arity)) return;
    const name = `f${this.list.length}`;
    byArity.set(arity, name);
    this.functions.set(name, fn);
    this.list.push({ name, signature: { parameters: new Array(arity).fill(F64), results: [F64] } });
  }
}

class Writer {
  /** Numbers in variables. */
  private readonly kept: (Expression | undefined)[] = [];

  constructor(
    private readonly tape: Tape,
    private readonly leaves: readonly number[],
    private readonly module: ModuleBuilder,
    private readonly imports: Imports,
    private readonly b: FunctionBuilder,
  ) {}

  write(): void {
    const { b, tape } = this;
    this.keepShared();
    const store = (place: number, value: Expression): void => b.do(f64.store([b.parameter(0), value], BYTES * place));
    const factors = b.let(F64, f64.const(0));
    const choices = b.let(F64, f64.const(0));
    const strayed = b.let(I32, i32.const(0));
    const impossible = b.let(I32, i32.const(0));
    // What comes after an execution has turned out impossible does not happen, whatever is computed there.
    const noteImpossible = (): void => {
      const found = or(f64.eq(factors.get, f64.const(-Infinity)), f64.eq(choices.get, f64.const(-Infinity)));
      impossible.set(or(impossible.get, found));
    };
    let choice = 0;
    let noted = true;
    for (const { kind, node } of tape.statements) {
      const value = this.expression(node);
      if (kind === 'factor') factors.set(f64.add(factors.get, value));
      else if (kind === 'choice') {
        const score = b.let(F64, value);
        store(SCORES + choice++, score.get);
        choices.set(f64.add(choices.get, score.get));
      } else if (kind === 'mark') store(SCORES + choice++, factors.get);
      else {
        if (!noted) noteImpossible();
        strayed.set(or(strayed.get, and(f64.eq(value, f64.const(0)), i32.eqz(impossible.get))));
      }
      if (kind !== 'mark') noted = kind === 'check';
    }
    noteImpossible();
    store(CHOICE_SCORE, choices.get);
    store(FACTOR_SCORE, factors.get);
    for (const node of this.leaves) store(SCORES + choice++, this.expression(node));
    const clear = and(below(factors.get), below(choices.get));
    const possible = select(i32.const(SAME_WAY), i32.const(UNKNOWN), clear);
    const known = select(i32.const(IMPOSSIBLE), possible, impossible.get);
    b.do(select(i32.const(UNKNOWN), known, strayed.get));
  }

  /** Puts into variables what is used more than once, and what would nest too deeply. */
  private keepShared(): void {
    const { sources, statements } = this.tape;
    const uses = new Uint32Array(sources.length);
    for (const { node } of statements) uses[node]++;
    for (const node of this.leaves) uses[node]++;
    for (let node = sources.length - 1; node >= 0; node--) {
      const source = sources[node];
      if (uses[node] === 0 || source.kind === 'constant' || source.kind === 'input') continue;
      for (const operand of source.operands) uses[operand]++;
    }
    const depth = new Uint32Array(sources.length);
    sources.forEach((source, node) => {
      if (uses[node] === 0 || source.kind === 'constant') return;
      if (source.kind !== 'input')
        for (const operand of source.operands) depth[node] = Math.max(depth[node], depth[operand] + 1);
      if (uses[node] === 1 && depth[node] < DEEPEST) return;
      this.kept[node] = this.b.let(F64, this.expression(node)).get;
      depth[node] = 0;
    });
  }

  private expression(node: number): Expression {
    const kept = this.kept[node];
    if (kept !== undefined) return kept;
    const source = this.tape.sources[node];
    if (source.kind === 'constant') return f64.const(this.tape.values[node]);
    if (source.kind === 'input') return f64.load([i32.const(0)], BYTES * source.place);
    const operands = source.operands.map((operand) => this.expression(operand));
    if (source.kind === 'call') {
      return this.module.callImport(this.imports.nameOf(source.fn, operands.length), ...operands);
    }
    const [a, b, c] = operands;
    return source.operation.write(a, b, c);
  }
}

/** Less than ∞, and a number. */
const below = (x: Expression): Expression => f64.lt(x, f64.const(Infinity));
