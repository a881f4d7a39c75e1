/** A task of `waymark reproduce`, in the program's thread: nothing is printed, everything is told to the main thread. */
import { dirname } from 'node:path';
import { nodeThreads } from '../host/node-threads.ts';
import { toJsonValue } from '../io/json-value.ts';
import { report } from '../program/report.ts';
import type { Progress } from '../runtime/machine.ts';
import { CommandRun } from './command-run.ts';
import type { TaskJob, TaskMessage } from './jobs.ts';
import { outcomeOf } from './outcome.ts';

const TELL_MS = 200;

const tell = (message: TaskMessage): void => nodeThreads().parentPort?.postMessage(message);

export async function runTask({ file, seed, args, threads }: TaskJob): Promise<void> {
  const audience = {
    warn: (warning: string) => tell({ warning }),
    progress: outermost(),
    keepsOutputs: false,
  };
  const outcome = await outcomeOf(file, new CommandRun(seed, dirname(file), args, { threads }, audience));
  tell('error' in outcome ? { error: report(outcome.error) } : { value: toJsonValue(outcome.value) });
}

/** Inference within inference tells of the outermost only, whose progress is that of the whole. */
function outermost(): (label: string) => Progress {
  let busy = false;
  return (label) => {
    if (busy) return { update() {}, finish() {} };
    busy = true;
    let due = 0;
    return {
      update(done, total, note) {
        const now = performance.now();
        if (now < due) return;
        due = now + TELL_MS;
        tell({ progress: { label, done, total, note } });
      },
      finish() {
        busy = false;
      },
    };
  };
}
