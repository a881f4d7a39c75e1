/**
 * The steps of a plan as one function of WebAssembly. A plan with lanes that each run finds anew has thousands of small
 * steps, and calling each of them from JavaScript would take longer than what they do. Steps that have no code here are
 * called in JavaScript.
 */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Import,
  ModuleBuilder,
  type ValueType,
} from '../wasm/assembler.ts';
import type { WasmDevice } from '../wasm/device.ts';
import { type ExportedFunction, formulaModule } from '../wasm/host.ts';
import { f32, f64, fillMemory, i32 } from '../wasm/instructions.ts';
import type { Value } from './program.ts';
import { hostFunction } from './scalar-wasm.ts';
import { isWritten, ScalarWriter } from './scalar-writer.ts';

/** A number that depends on how many lanes there are: `base` and `each` for each lane of a space. */
export interface Amount {
  readonly base: number;
  readonly each: number;
  readonly space: number;
}

/** A number in device memory. */
export interface NumberPlace {
  readonly dtype: 'f64' | 'f32';
  readonly address: number;
}

type Argument = number | Amount;

type Write = (b: FunctionBuilder) => void;

/** Statements of one function: long functions are slow to compile. */
const STATEMENTS = 48;

/** Steps being written. */
export class Walk {
  private readonly statements: Write[] = [];
  private block = this.statements;
  private readonly imports = new Map<unknown, { readonly name: string; readonly import: Import }>();
  private module: ModuleBuilder | null = null;

  /** `countsAt`: where the numbers of lanes are, a word for each space; `slotsAt`: where scalars are. */
  constructor(
    private readonly countsAt: number,
    private readonly slotsAt: number,
  ) {}

  /** Calls a function of WebAssembly and drops its result. */
  call(run: unknown, given: readonly Argument[], gives = false): void {
    const name = this.nameOf(run, given.length, gives);
    const operands = given.map((one) => this.amount(one));
    this.block.push((b) => {
      b.do(this.module!.callImport(name, ...operands));
      if (gives) b.do(drop);
    });
  }

  /** Calls a function of WebAssembly with a number; where it does not give −1, one of JavaScript. */
  checked(run: unknown, given: number, otherwise: () => void): void {
    const [name, other] = [this.nameOf(run, 1, true), this.nameOf(otherwise, 0, false)];
    this.block.push((b) => {
      const found = this.module!.callImport(name, i32.const(given));
      b.if(i32.add(found, i32.const(1)), () => b.do(this.module!.callImport(other)));
    });
  }

  /** Computes scalars from others; `leaves` says which of them have to be in their slots afterwards. */
  scalars(members: readonly Value[], slotOf: (value: Value) => number, leaves: (value: Value) => boolean): void {
    const names = new Map<string, string>();
    for (const { op, inputs } of members) {
      if (isWritten(op)) continue;
      const { name, run } = hostFunction(op);
      const parameters = inputs.map((): typeof F64 => F64);
      names.set(name, this.importOf(run, parameters, [F64]));
    }
    const call = (name: string): Expression => this.module!.callImport(names.get(name)!);
    this.block.push((b) => new ScalarWriter<Value>(b, { slotOf }, call).write(members, leaves));
  }

  /** Calls a function of JavaScript. */
  host(run: () => void): void {
    this.call(run, []);
  }

  /** Runs one branch where a space has lanes (at most so many, if a limit is given), and the other branch elsewhere. */
  when(space: number, then: () => void, otherwise?: () => void, most?: number): void {
    const count = this.countOf(space);
    const condition = most === undefined ? count : i32.lt(count, i32.const(most + 1));
    const [yes, no] = [this.within(then), otherwise && this.within(otherwise)];
    const all = (writes: readonly Write[], b: FunctionBuilder) => (): void => {
      for (const write of writes) write(b);
    };
    this.block.push((b) => b.if(condition, all(yes, b), no && all(no, b)));
  }

  /** Fills bytes with 0. */
  clear(address: number, bytes: Argument): void {
    const length = this.amount(bytes);
    this.block.push((b) => b.do(fillMemory(i32.const(address), i32.const(0), length)));
  }

  store(address: number, word: Argument): void {
    const value = this.amount(word);
    this.block.push((b) => b.do(i32.store([i32.const(address), value])));
  }

  /** Puts a number from one place to another, in the precision that it has there. */
  put(from: NumberPlace, to: NumberPlace): void {
    const found = (from.dtype === 'f64' ? f64 : f32).load([i32.const(from.address)]);
    const at = i32.const(to.address);
    this.block.push((b) => {
      if (from.dtype === to.dtype) b.do((to.dtype === 'f64' ? f64 : f32).store([at, found]));
      else b.do(to.dtype === 'f64' ? f64.store([at, f64.promote(found)]) : f32.store([at, f32.demote(found)]));
    });
  }

  /** Finds the lanes of a space: those of another for which a truth value at an address is or is not true. */
  partition(space: number, around: number, truth: number, which: boolean, map: number): void {
    const lanes = this.countOf(around);
    const to = i32.const(this.countsAt + 4 * space);
    this.block.push((b) => {
      const found = b.let(I32, i32.const(0));
      const lane = b.let(I32, i32.const(0));
      const at = (base: number, of: Expression): Expression => i32.add(i32.const(base), i32.shl(of, i32.const(2)));
      b.while(i32.lt(lane.get, lanes), () => {
        b.do(i32.store([at(map, found.get), lane.get]));
        const isFalse = i32.eqz(i32.load([at(truth, lane.get)]));
        found.set(i32.add(found.get, which ? i32.eqz(isFalse) : isFalse));
        lane.set(i32.add(lane.get, i32.const(1)));
      });
      b.do(i32.store([to, found.get]));
    });
  }

  /** All steps as one function. */
  build(device: WasmDevice): () => void {
    const imports = [...this.imports.values()].map((one) => one.import);
    const module = new ModuleBuilder(imports);
    this.module = module;
    const parts: Expression[] = [];
    for (let from = 0; from < this.statements.length; from += STATEMENTS) {
      // (The address of the slots is what scalars find their numbers by.)
      const part = module.function(null, [I32], [], (b) => {
        for (const write of this.statements.slice(from, from + STATEMENTS)) write(b);
      });
      parts.push(part(i32.const(this.slotsAt)));
    }
    module.function('run', [], [], (b) => {
      for (const part of parts) b.do(part);
    });
    const given: Record<string, unknown> = {};
    for (const [run, { name }] of this.imports) given[name] = run;
    const { run } = device.instantiate(module, given, formulaModule) as { run: ExportedFunction };
    return run as unknown as () => void;
  }

  private within(write: () => void): Write[] {
    const { block } = this;
    const own: Write[] = [];
    this.block = own;
    write();
    this.block = block;
    return own;
  }

  private countOf(space: number): Expression {
    return i32.load([i32.const(this.countsAt + 4 * space)]);
  }

  private amount(given: Argument): Expression {
    if (typeof given === 'number') return i32.const(given);
    const { base, each, space } = given;
    const lanes = each === 1 ? this.countOf(space) : i32.mul(this.countOf(space), i32.const(each));
    return base === 0 ? lanes : i32.add(lanes, i32.const(base));
  }

  private nameOf(run: unknown, count: number, gives: boolean): string {
    return this.importOf(run, new Array<typeof I32>(count).fill(I32), gives ? [I32] : []);
  }

  private importOf(run: unknown, parameters: readonly ValueType[], results: readonly ValueType[]): string {
    let known = this.imports.get(run);
    if (known === undefined) {
      const name = `f${this.imports.size}`;
      known = { name, import: { name, signature: { parameters, results } } };
      this.imports.set(run, known);
    }
    return known.name;
  }
}

const drop: Expression = (code) => code.byte(0x1a);
