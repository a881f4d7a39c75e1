import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Empties the folder that is built into, but for folders that other builds make. */
export function emptyPlugin(kept: readonly string[]): Plugin {
  let folder = '';
  return {
    name: 'waymark-empty',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    buildStart() {
      try {
        for (const name of readdirSync(folder))
          if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}
