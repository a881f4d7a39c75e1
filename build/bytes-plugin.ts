import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import trajectoryModule from '../src/inference/chains/hamiltonian/trajectory-module.ts';
import treeModule from '../src/inference/chains/hamiltonian/tree-module.ts';
import kernelModule from '../src/lanes/columns/kernel-module.ts';
import philoxModule from '../src/tensor/philox-module.ts';

const BYTES = '?bytes';

/** Modules of WebAssembly that the build makes, because making them takes longer than a short run should. */
const MODULES: Readonly<Record<string, () => Uint8Array>> = {
  '/lanes/columns/kernel-module.ts': kernelModule,
  '/tensor/philox-module.ts': philoxModule,
  '/inference/chains/hamiltonian/trajectory-module.ts': trajectoryModule,
  '/inference/chains/hamiltonian/tree-module.ts': treeModule,
};

/** `import built from './kernel-module.ts?bytes'` gives what the file's default export makes: a `BuiltModule`. */
export function bytesPlugin(): Plugin {
  return {
    name: 'waymark-bytes',
    enforce: 'pre',

    resolveId(specifier, importer) {
      if (!specifier.endsWith(BYTES) || importer === undefined) return null;
      return `${resolve(dirname(importer), specifier.slice(0, -BYTES.length))}${BYTES}`;
    },

    load(id) {
      if (!id.endsWith(BYTES)) return null;
      const file = id.slice(0, -BYTES.length);
      const name = Object.keys(MODULES).find((ending) => file.endsWith(ending));
      if (name === undefined) throw new Error(`${file} is not among the modules of build/bytes-plugin.ts.`);
      this.addWatchFile(file);
      return `export default ${JSON.stringify({ base64: Buffer.from(MODULES[name]()).toString('base64') })};`;
    },
  };
}
