/** WebAssembly of the build as V8 has optimised it before. */
import { describe, expect, test } from 'vitest';
import { optimisedCode, packed, unpacked } from '../../src/cli/kept-modules.ts';
import philoxModule from '../../src/tensor/philox-module.ts';
import { optimising, webAssembly } from '../../src/tensor/wasm/host.ts';

/** The first word of the block that a module gives for these counters and keys. */
function firstWord(module: object): number {
  const { memory, philox } = new webAssembly!.Instance(module, {}).exports;
  philox(1, 2, 3, 4, 5, 6);
  return new Int32Array((memory as unknown as { buffer: ArrayBuffer }).buffer)[0];
}

const bytes = philoxModule();
const module = new webAssembly!.Module(bytes);
optimising.now(() => firstWord(module));
const code = optimisedCode(module);
const file = packed(bytes, code ?? new Uint8Array());

describe.skipIf(code === undefined)('where V8 gives its code away', () => {
  test('is taken up from a file', () => {
    const again = unpacked(file);
    expect(again).toBeInstanceOf((webAssembly as unknown as { Module: new () => object }).Module);
    expect(firstWord(again!)).toBe(firstWord(module));
  });

  test('is taken up whatever flags are set for a while', () => {
    expect(optimising.learning(() => unpacked(file))).not.toBeNull();
  });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('not what V8 expects')],
  ['half of it', file.subarray(0, file.length / 2)],
  ['more than all of it', Buffer.concat([file, file])],
  ['code of another V8', packed(bytes, Buffer.alloc(1000, 7))],
])('is not made of %s', (_, content) => {
  expect(unpacked(content)).toBeNull();
});

test('is not there for a module that was never kept', () => {
  expect(optimising.kept({ name: 'no-such-module', base64: '' })).toBeNull();
});
