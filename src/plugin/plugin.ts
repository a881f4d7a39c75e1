/** The plugin for bundlers: compiles modules that import from `waymark`, and `.wppl` programs. */
import { relative } from 'node:path';
import { createUnplugin, type UnpluginInstance } from 'unplugin';
import { CompileError } from '../compiler/diagnostics.ts';
import { compileModule, UnreadableModule } from '../modules/compile-module.ts';
import { isCompiled } from '../modules/is-compiled.ts';
import { isOwnFile, type WaymarkPluginOptions } from './options.ts';

/** What follows the name of a file in a bundler's: `?v=…`. A module that is asked for as text, or an address, is not compiled. */
const QUERY = /\?.*$/s;
const AS_SOMETHING_ELSE = /[?&](raw|url)\b/;

const fileOf = (id: string): string => id.replace(QUERY, '');

/** What Vite is to bundle before it meets it, since compiled text imports what the source does not. */
const BUNDLED_FIRST = ['waymark', 'waymark/webppl', 'waymark/compiled', 'waymark/gradients', 'waymark/columns'];

export const plugin: UnpluginInstance<WaymarkPluginOptions | undefined> = createUnplugin(
  (options: WaymarkPluginOptions | undefined) => {
    const { include = isOwnFile } = options ?? {};
    return {
      name: 'waymark',
      enforce: 'pre',
      transformInclude: (id: string) =>
        /\.(?:[cm]?[jt]s|[jt]sx|wppl)$/.test(fileOf(id)) && !AS_SOMETHING_ELSE.test(id) && include(fileOf(id)),
      async transform(code: string, id: string) {
        const file = fileOf(id);
        if (!isCompiled(file, code)) return null;
        try {
          const place = relative(process.cwd(), file).replaceAll('\\', '/');
          return await compileModule(code, { file, id: place });
        } catch (thrown) {
          if (thrown instanceof UnreadableModule) {
            this.warn(thrown.message);
            return null;
          }
          throw thrown instanceof CompileError ? withPlace(thrown, file) : thrown;
        }
      },
      vite: {
        config: ({ worker }) => ({
          optimizeDeps: { include: BUNDLED_FIRST },
          // Vite builds workers with plugins of their own.
          ...(worker?.plugins === undefined ? { worker: { plugins: () => [plugin.vite(options)] } } : {}),
        }),
      },
    };
  },
);

/** As bundlers show errors. */
function withPlace(error: CompileError, file: string): Error {
  const { message, hint, line, column } = error;
  const text = `${file}:${line}:${column}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
  return Object.assign(new Error(text), { loc: { file, line, column: column - 1 }, id: file });
}
