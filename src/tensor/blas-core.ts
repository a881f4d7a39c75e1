/**
 * OpenBLAS has kernels for each kind of processor, its cores, and chooses one when it is loaded. A version that is
 * older than the processor chooses kernels for processors of twenty years ago, which are slower than WebAssembly, or for the last kind
 * of the same maker that it knows: of a Zen with vectors of 512 bits half of them are left idle. So the library is asked which core it
 * chose; if the processor can run a better one, that is set, and the library is loaded once more. What the processor can do decides, and
 * no measurement, so that products have the same bits in each run.
 */

/** Cores without AVX2. */
const OLD: ReadonlySet<string> = new Set(
  'Katmai Coppermine Northwood Prescott Banias Atom Core2 Penryn Dunnington Nehalem Sandybridge generic Generic'.split(
    ' ',
  ),
);

/** Cores with AVX2 that an OpenBLAS takes for a processor with AVX-512 only if it does not know that one. */
const HALF: ReadonlySet<string> = new Set(['Haswell', 'Zen']);

/** The cores that serve any processor with these abilities, best first. */
const NEW: readonly (readonly [core: string, flags: readonly string[]])[] = [
  ['SkylakeX', ['avx512f', 'avx512cd', 'avx512bw', 'avx512dq', 'avx512vl', 'avx2', 'fma']],
  ['Haswell', ['avx2', 'fma']],
];

/** The core that should be used in place of this one; undefined if that one will do. */
export function betterCore(core: string, flags: ReadonlySet<string>): string | undefined {
  if (!OLD.has(core) && !HALF.has(core)) return undefined;
  const best = NEW.find(([, needed]) => needed.every((flag) => flags.has(flag)))?.[0];
  return HALF.has(core) && best === 'Haswell' ? undefined : best;
}
