/**
 * Blocks of scalar operations as WebAssembly. The same code in JavaScript keeps every number on the heap until V8 has optimised
 * it, which for long functions takes it a thousand runs; compiled WebAssembly is quick from the first.
 */
import * as t from '../elementwise/table.ts';
import type { Op } from '../node.ts';
import { F64, I32, type Import, ModuleBuilder } from '../wasm/assembler.ts';
import { type ExportedFunction, formulaModule, webAssembly } from '../wasm/host.ts';
import type { Math64 } from '../wasm/math64.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import { type MathFunction, scalarMath } from '../wasm/scalar-math.ts';
import type { Value } from './program.ts';
import { inPieces, type ScalarCode } from './scalar-code.ts';
import { calledFor, isWritten, ScalarWriter } from './scalar-writer.ts';

/** From this many operations on, a module of their own pays. */
export const WORTH_WASM = 100;

/** Operations per function: longer ones take the compiler too long. */
export const MOST_OPERATIONS = 2000;

/** Functions there is code for; all others are JavaScript's. */
const functions: ReadonlyMap<Op, Math64> = new Map<Op, Math64>([
  [t.EXP, 'exp'],
  [t.EXPM1, 'expm1'],
  [t.LOG, 'log'],
  [t.LOG1P, 'log1p'],
  [t.TANH, 'tanh'],
  [t.SIGMOID, 'sigmoid'],
  [t.SOFTPLUS, 'softplus'],
  [t.SIN, 'sin'],
  [t.COS, 'cos'],
]);

/** Functions that V8's WebAssembly calls without a detour through JavaScript, if it is given these very ones. */
const hostFunctions: ReadonlyMap<Op, (x: number) => number> = new Map([
  [t.EXP, Math.exp],
  [t.LOG, Math.log],
  [t.SIN, Math.sin],
  [t.COS, Math.cos],
]);

/** From this many calls on, functions of our own save more time than it takes to make them. */
const WORTH_FUNCTIONS = 20;

/** What an operation that is no instruction calls. */
interface CalledFunction {
  readonly ofOne: unknown;
  /** The same on two numbers at once, if there is such a function. */
  readonly ofTwo?: unknown;
  readonly arity: number;
}

/** The functions that operations need which are no instructions. */
export function calledFunctions(memory: DeviceMemory, members: readonly Value[]): Map<Op, CalledFunction> {
  const called = new Map<Op, CalledFunction>();
  let calls = 0;
  for (let i = 0; i < members.length; i++) {
    const { op: given, inputs } = members[i];
    if (isWritten(given)) continue;
    const op = calledFor(given);
    calls++;
    if (!called.has(op)) called.set(op, { ofOne: hostFunctions.get(op) ?? op.compute, arity: inputs.length });
  }
  const own = [...functions].filter(([op]) => called.has(op) && (calls >= WORTH_FUNCTIONS || !hostFunctions.has(op)));
  const math = scalarMath(
    memory,
    own.map(([, name]) => name),
  );
  for (const [op, name] of own) called.set(op, { ...(math.get(name) as MathFunction), arity: 1 });
  return called;
}

/** The function that an operation calls which is no instruction. It gives the same bits as code in JavaScript. */
export function hostFunction(op: Op): { readonly name: string; readonly run: unknown } {
  const called = calledFor(op);
  return { name: called.name, run: hostFunctions.get(called) ?? called.compute };
}

/** Compiles a block of scalar operations; the function takes the address of the slots in the given memory. */
export function compileScalarsToWasm(
  memory: DeviceMemory,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ExportedFunction {
  const called = calledFunctions(memory, members);
  const imports: Import[] = [];
  const env: Record<string, unknown> = { memory: memory.memory };
  for (const [op, { ofOne, arity }] of called) {
    imports.push({ name: op.name, signature: { parameters: new Array(arity).fill(F64), results: [F64] } });
    env[op.name] = ofOne;
  }
  const module = new ModuleBuilder(imports);
  const { pieces, leavesPiece } = inPieces(members, MOST_OPERATIONS, leaves);
  const calls = pieces.map((piece) =>
    module.function(pieces.length === 1 ? 'run' : null, [I32], [], (builder) => {
      new ScalarWriter<Value>(builder, { slotOf }, (name) => module.callImport(name)).write(piece, leavesPiece);
    }),
  );
  if (pieces.length > 1) {
    module.function('run', [I32], [], (builder) => {
      for (const call of calls) builder.do(call(builder.parameter(0)));
    });
  }
  const host = webAssembly as NonNullable<typeof webAssembly>;
  return new host.Instance(formulaModule(module.build(memory.shared)), { env }).exports.run;
}

/** A function as `compileScalarsToWasm` gives it, as code for plans to run. */
export function asCode(run: ExportedFunction): ScalarCode {
  return (_slots, address) => void run(address);
}
