/**
 * WebAssembly of the build that V8 has optimised before. To compile it takes longer than a short run works in it; so the build
 * has all of it optimised, and keeps the outcome beside what is kept of scripts (`kept-code.ts`). V8 offers that to its own
 * tests alone, by functions whose names are syntax if a flag says so. Where they are missing or give nothing, modules are
 * compiled as usual.
 */
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltModule, decode, optimising, webAssembly } from '../tensor/wasm/host.ts';
import { contentOf, keeping, keepToo, version, write } from './kept-code.ts';
import { asUsual, atOnce, during } from './optimising.ts';

const folder = dirname(fileURLToPath(import.meta.url));

const fileOf = ({ name }: BuiltModule): string => `${folder}${sep}${name}.wasm.${version}`;

/** A function of V8's, if it is there: later versions leave it out. */
function native(name: string, ...parameters: string[]): ((...given: unknown[]) => unknown) | undefined {
  const list = parameters.join(', ');
  try {
    return during(
      '--allow-natives-syntax',
      '--no-allow-natives-syntax',
      () => new Function(list, `return %${name}(${list});`) as (...given: unknown[]) => unknown,
    );
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A file begins with two numbers of four bytes: how long the module is that comes next, and the code after it. */
const HEADER = 8;

/** The file for a module and its code. */
export function packed(bytes: Uint8Array, code: Uint8Array): Buffer {
  const header = Uint32Array.of(bytes.length, code.length);
  return Buffer.concat([new Uint8Array(header.buffer), bytes, code]);
}

/** The module of a file; null if it is none that this V8 takes up. */
export function unpacked(file: Buffer): object | null {
  if (file.length < HEADER) return null;
  const { buffer, byteOffset, length } = file;
  const [bytesLength, codeLength] = new Uint32Array(buffer, byteOffset, 2);
  const end = HEADER + bytesLength;
  if (length !== end + codeLength) return null;
  const code = buffer.slice(byteOffset + end, byteOffset + length);
  const deserialize = native('DeserializeWasmModule', 'code', 'bytes');
  return (asUsual(() => deserialize?.(code, file.subarray(HEADER, end))) as object | undefined) ?? null;
}

/** Code of a module as V8 has optimised it; undefined if it does not give it. */
export function optimisedCode(module: object): Uint8Array | undefined {
  const serialize = native('SerializeWasmModule', 'module');
  return serialize && new Uint8Array(asUsual(() => serialize(module)) as ArrayBuffer);
}

/** The module with all its functions optimised, which is kept when the process ends. */
function optimised(built: BuiltModule): object {
  const bytes = decode(built);
  const module = during('--no-wasm-lazy-compilation', '--wasm-lazy-compilation', () =>
    atOnce(() => new webAssembly!.Module(bytes)),
  );
  keepToo(() => {
    const code = optimisedCode(module);
    if (code !== undefined) write(fileOf(built), packed(bytes, code));
  });
  return module;
}

/** The module as it was kept. */
function kept(built: BuiltModule): object | null {
  const file = contentOf(fileOf(built));
  return file === undefined ? null : unpacked(file);
}

optimising.kept = keeping ? optimised : kept;
