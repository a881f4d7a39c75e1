/**
 * `import waymark from 'waymark/bun'`: for `Bun.build`, and for `plugin(waymark())` in a file that Bun preloads. Not by unplugin, whose
 * plugins for Bun work in builds alone.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { compileModule, UnreadableModule } from '../modules/compile-module.ts';
import { isCompiled } from '../modules/is-compiled.ts';
import { isOwnFile, type WaymarkPluginOptions } from './options.ts';

export type { WaymarkPluginOptions };

/** As much of Bun's builder as is used. */
interface BunBuilder {
  onLoad(options: { filter: RegExp }, load: (file: { path: string }) => Promise<Loaded | undefined>): void;
}

interface Loaded {
  readonly contents: string;
  readonly loader: 'ts' | 'tsx' | 'js';
}

/** What Bun takes for a plugin. */
export interface BunPlugin {
  readonly name: string;
  setup(build: BunBuilder): void;
}

/** The plugin. */
export default function waymark({ include = isOwnFile }: WaymarkPluginOptions = {}): BunPlugin {
  return {
    name: 'waymark',
    setup(build) {
      build.onLoad({ filter: /\.(?:[cm]?[jt]s|[jt]sx|wppl)$/ }, async ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const loader = /[jt]sx$/.test(path) ? 'tsx' : /ts$/.test(path) ? 'ts' : 'js';
        if (!include(path) || !isCompiled(path, text)) return { contents: text, loader };
        try {
          const id = relative(process.cwd(), path).replaceAll('\\', '/');
          const { code, map } = await compileModule(text, { file: path, id });
          const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
          return { contents: `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`, loader };
        } catch (thrown) {
          if (!(thrown instanceof UnreadableModule)) throw thrown;
          console.warn(thrown.message);
          return { contents: text, loader };
        }
      });
    },
  };
}
