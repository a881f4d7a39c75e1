import { F64, ModuleBuilder } from './assembler.ts';
import { type ExportedFunction, webAssembly } from './host.ts';
import { f64x2 } from './instructions.ts';
import { addMath64, type Math64 } from './math64.ts';
import type { DeviceMemory } from './memory.ts';

const known = new WeakMap<DeviceMemory, Map<Math64, ExportedFunction>>();

/**
 * Elementary functions of one float64, to be imported by other modules: a call from WebAssembly into JavaScript costs
 * more than an exponential. The memory is only what every module has to import.
 */
export function scalarMath(memory: DeviceMemory, names: readonly Math64[]): ReadonlyMap<Math64, ExportedFunction> {
  let functions = known.get(memory);
  if (functions === undefined) {
    functions = new Map();
    known.set(memory, functions);
  }
  const made = functions;
  const missing = names.filter((name) => !made.has(name));
  if (missing.length > 0) {
    const exports = instantiate(memory, missing);
    for (const name of missing) made.set(name, exports[name]);
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
