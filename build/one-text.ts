/** How something for pages is built as one text, which needs no other file. */
import { defineConfig, type UserConfig } from 'vite';
import { bytesPlugin } from './bytes-plugin.ts';
import { hostPlugin } from './host-plugin.ts';
import { liftPlugin } from './lift-plugin.ts';
import { defined } from './version.ts';

/** `entry` gives the file by the name of the text; `isFirst`: what was built before is taken away. */
export const oneText = (entry: Readonly<Record<string, string>>, isFirst: boolean): UserConfig =>
  defineConfig({
    plugins: [hostPlugin({ as: 'browser' }), liftPlugin(), bytesPlugin()],
    define: defined,
    build: {
      target: 'es2022',
      outDir: 'dist/web',
      emptyOutDir: isFirst,
      lib: { entry: { ...entry }, formats: ['iife'], name: 'waymark' },
      rolldownOptions: { output: { entryFileNames: '[name].js' } },
      minify: true,
    },
  });
