/** Builds the worker that runs programs in pages. */
import { oneText } from './one-text.ts';

export default oneText({ 'program-worker': 'src/worker/program-worker.ts' }, true);
