/** Programs and models off the main thread: `import { ProgramWorker } from 'waymark/worker'`. */

export type { JsonValue } from '../io/json-value.ts';
export {
  type CallOptions,
  connect,
  ProgramWorker,
  type Sent,
  WorkerClient,
  WorkerError,
  type WorkerListeners,
  type WorkerRunOptions,
  type WorkerRunResult,
} from './client.ts';
export type { ProgressReport, SentError, SentOptions, SentOutput, SentTensor } from './messages.ts';
export { expose, type Offered } from './serve.ts';
