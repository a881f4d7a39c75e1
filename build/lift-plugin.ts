import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { lift } from './lift.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const OPERATORS = `${src}lifting/operators.ts`;
const SPECIAL = `${src}lifting/special.ts`;
const LIFTED = '?lifted';

/** `import … from './gaussian.ts?lifted'` gives the lifted text of that file (`lift.ts`). */
export function liftPlugin(): Plugin {
  return {
    name: 'waymark-lift',
    enforce: 'pre',

    resolveId(specifier, importer) {
      if (!specifier.endsWith(LIFTED)) return null;
      const path = specifier.slice(0, -LIFTED.length);
      const from = importer === undefined ? src : dirname(importer.split('?')[0]);
      return `${resolve(from, path)}${LIFTED}`;
    },

    load(id) {
      if (!id.endsWith(LIFTED)) return null;
      const file = id.slice(0, -LIFTED.length);
      this.addWatchFile(file);
      const folder = dirname(file);
      return lift(readFileSync(file, 'utf8'), OPERATORS, (specifier) => {
        if (!specifier.startsWith('.')) return specifier;
        const target = resolve(folder, specifier);
        if (target.startsWith(`${src}tensor/special/`)) return SPECIAL;
        // An index lists modules: each of them is lifted in turn, and so is what several families share.
        return file.endsWith('/index.ts') || target.startsWith(`${src}distributions/closed-forms/`)
          ? `${target}${LIFTED}`
          : target;
      });
    },
  };
}
