import { createRequire } from 'node:module';

/** Node's threads, loaded when they are first needed: most runs neither start any nor ask which one they are. */
export const nodeThreads = (): typeof import('node:worker_threads') =>
  createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
