/**
 * What programs and apps import of the package, by the names in its `exports`.
 *
 * **Hosts.** `src/host/fs.ts` is for Node, `fs.browser.ts` for pages, and so on; others import the first and say nothing of hosts. The
 * package is built three times (`build/entries.ts` lists what it offers). `dist/*.js` is for Node, with the command: an app and a
 * program of the command then share one runtime. `dist/lib/` is for bundlers, a file for each source file, so that what an
 * app does not use is left out (`sideEffects` in package.json names files that are kept for what they do); there files of the
 * host are imported as `#host/fs`, which package.json resolves by conditions. `dist/web/` is for pages without a bundler,
 * and holds the worker that runs programs, which `dist/lib/` has as text, since nothing may lie beside somebody's bundle.
 */
export const ENTRIES = {
  // What `import … from 'waymark'` gives, and so on.
  index: 'src/index.ts',
  program: 'src/program/index.ts',
  worker: 'src/worker/index.ts',
  // Names of WebPPL that new programs do not need.
  webppl: 'src/webppl.ts',
  // For those who write inference algorithms.
  algorithms: 'src/algorithms.ts',
  // What compiled modules of apps import.
  compiled: 'src/modules/link.ts',
  gradients: 'src/modules/gradients.ts',
  columns: 'src/modules/columns.ts',
} as const;

/** Bundlers that there is a plugin for. */
export const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'bun'] as const;
