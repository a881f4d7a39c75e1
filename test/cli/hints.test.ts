/** What a module of WebAssembly says of how its functions are to be compiled. */
import { expect, test } from 'vitest';
import { hinted } from '../../src/cli/v8/hints.ts';
import { F64, ModuleBuilder } from '../../src/tensor/wasm/assembler.ts';
import { f64 } from '../../src/tensor/wasm/instructions.ts';

interface Wasm {
  Module: { new (bytes: Uint8Array): object; customSections(module: object, name: string): ArrayBuffer[] };
  Memory: new (limits: { initial: number }) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, () => number> };
}
const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;

/** Three functions, the second of which is not exported. */
function given(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder([{ name: 'log', signature: { parameters: [F64], results: [F64] } }]);
  ['first', null, 'third'].forEach((name, i) => {
    module.function(name, [], [F64], (b) => b.do(f64.const(i)));
  });
  return module.build(false);
}

const LAZILY = 1;
const OPTIMISED = 0b100111;

test.each([
  [[], [LAZILY, LAZILY, LAZILY]],
  [['third'], [LAZILY, LAZILY, OPTIMISED]],
  [
    ['first', 'third'],
    [OPTIMISED, LAZILY, OPTIMISED],
  ],
])('of %j', (functions, hints) => {
  const module = new Module(hinted(given(), functions));
  const sections = Module.customSections(module, 'compilationHints');
  expect(sections.map((section) => [...new Uint8Array(section)])).toEqual([[3, ...hints]]);
  const { exports } = new Instance(module, { env: { memory: new Memory({ initial: 1 }), log: Math.log } });
  expect([exports.first(), exports.third()]).toEqual([0, 2]);
});
