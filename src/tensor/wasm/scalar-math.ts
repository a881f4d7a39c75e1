import { F64, ModuleBuilder } from './assembler.ts';
import { type ExportedFunction, webAssembly } from './host.ts';
import { f64x2 } from './instructions.ts';
import { addMath64, type Math64 } from './math64.ts';
import type { DeviceMemory } from './memory.ts';

/** An elementary function of one float64, and the same of two at once, which gives the same bits for each. */
export interface MathFunction {
  readonly ofOne: ExportedFunction;
  readonly ofTwo: ExportedFunction;
}

const known = new WeakMap<DeviceMemory, Map<Math64, MathFunction>>();

/**
 * Elementary functions to be imported by other modules: a call from WebAssembly into JavaScript costs more than an
 * exponential. The memory is only what every module has to import.
 */
export function scalarMath(memory: DeviceMemory, names: readonly Math64[]): ReadonlyMap<Math64, MathFunction> {
  let functions = known.get(memory);
  if (functions === undefined) {
    functions = new Map();
    known.set(memory, functions);
  }
  const made = functions;
  const missing = names.filter((name) => !made.has(name));
  if (missing.length > 0) {
    const exports = instantiate(memory, missing);
    for (const name of missing) made.set(name, { ofOne: exports[name], ofTwo: exports[`${name}64`] });
  }
  return made;
}

function instantiate(memory: DeviceMemory, names: readonly Math64[]): Record<string, ExportedFunction> {
  const oneNumber = { parameters: [F64], results: [F64] } as const;
  const module = new ModuleBuilder([
    { name: 'sin', signature: oneNumber },
    { name: 'cos', signature: oneNumber },
  ]);
  const onVectors = addMath64(module, names);
  for (const name of names) {
    module.function(name, [F64], [F64], (b) => {
      b.do(f64x2.extract(0, onVectors[name](f64x2.splat(b.parameter(0)))));
    });
  }
  const host = webAssembly as NonNullable<typeof webAssembly>;
  const env = { memory: memory.memory, sin: Math.sin, cos: Math.cos };
  return new host.Instance(new host.Module(module.build(memory.shared)), { env }).exports;
}
