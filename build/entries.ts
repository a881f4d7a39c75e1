/** What programs and apps import of the package, by the names in its `exports`. */
export const ENTRIES = {
  // What `import … from 'waymark'` gives, and so on.
  index: 'src/index.ts',
  program: 'src/program/index.ts',
  worker: 'src/worker/index.ts',
  // For those who write inference algorithms.
  algorithms: 'src/algorithms.ts',
  // What compiled modules of apps import.
  compiled: 'src/modules/link.ts',
  gradients: 'src/modules/gradients.ts',
} as const;

/** Bundlers that there is a plugin for. */
export const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild'] as const;
