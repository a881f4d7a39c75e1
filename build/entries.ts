/** What programs and apps import of the package, by the names in its `exports`. */
export const ENTRIES = {
  // What `import … from 'waymark'` gives, and so on.
  index: 'src/index.ts',
  program: 'src/program/index.ts',
  worker: 'src/worker/index.ts',
} as const;
