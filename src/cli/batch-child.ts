/**
 * The process that programs of a batch run in. There are programs that end any process (V8 gives up on an array of a thousand
 * million elements, the system on one that takes all memory), and the rest of the batch must go on.
 */
import { BatchRunner } from './batch-thread.ts';
import type { BatchAnswer, BatchRequest, BatchSettings } from './jobs.ts';

const { job, limits } = JSON.parse(process.argv[2]) as BatchSettings;
const runner = new BatchRunner(job, limits);
const tell = (answer: BatchAnswer): void => void process.send?.(answer);

process.on('message', async ({ number, program }: BatchRequest) => {
  const result = await runner.run(program, () => {
    if (limits.timeout !== undefined) tell({ number, started: true });
  });
  tell({ number, result });
});
// The command has ended, and with it the programs to run.
process.on('disconnect', () => process.exit());
