import { F64, ModuleBuilder } from './assembler.ts';
import { type ExportedFunction, webAssembly } from './host.ts';
import { f64x2 } from './instructions.ts';
import { addMath64 } from './math64.ts';
import type { DeviceMemory } from './memory.ts';

const NAMES = ['exp', 'expm1', 'log', 'log1p', 'tanh', 'sigmoid', 'softplus', 'sin', 'cos'] as const;

const instances = new WeakMap<DeviceMemory, Record<string, ExportedFunction>>();

/**
 * The elementary functions of one float64 by name, to be imported by other modules: a call from WebAssembly into
 * JavaScript costs more than an exponential. The memory is only what every module has to import.
 */
export function scalarMath(memory: DeviceMemory): Record<string, ExportedFunction> {
  let functions = instances.get(memory);
  if (functions === undefined) {
    const host = webAssembly as NonNullable<typeof webAssembly>;
    const oneNumber = { parameters: [F64], results: [F64] } as const;
    const module = new ModuleBuilder([
      { name: 'sin', signature: oneNumber },
      { name: 'cos', signature: oneNumber },
    ]);
    const onVectors = addMath64(module);
    for (const name of NAMES) {
      module.function(name, [F64], [F64], (b) => {
        b.do(f64x2.extract(0, onVectors[name](f64x2.splat(b.parameter(0)))));
      });
    }
    const env = { memory: memory.memory, sin: Math.sin, cos: Math.cos };
    functions = new host.Instance(new host.Module(module.build()), { env }).exports;
    instances.set(memory, functions);
  }
  return functions;
}
