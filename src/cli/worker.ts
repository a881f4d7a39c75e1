/** Where the program's thread starts. */
import { workerData } from 'node:worker_threads';
import type { Job } from './jobs.ts';
import { lockDown } from './lock-down.ts';
import './v8/kept-packages.ts';
import './v8/optimising.ts';
import { serveBatch } from './worker-batch.ts';
import { checkPrograms } from './worker-check.ts';
import { runProgram } from './worker-run.ts';
import { runTask } from './worker-task.ts';

const job = workerData as Job;

async function work(): Promise<void> {
  if (job.kind === 'draw' || (job.kind === 'run' && job.sandbox)) await lockDown();
  switch (job.kind) {
    case 'run':
      await runProgram(job);
      break;
    case 'batch':
      serveBatch(job);
      break;
    case 'check':
      await checkPrograms(job);
      break;
    case 'repl':
      await (await import('./worker-repl.ts')).serveRepl(job);
      break;
    case 'draw':
      await (await import('./worker-draw.ts')).draw(job);
      break;
    case 'serve':
      await (await import('./serve/worker-serve.ts')).serve(job);
      break;
    case 'export':
      await (await import('./export/worker-export.ts')).exportProgram(job);
      break;
    case 'task':
      await runTask(job);
      break;
  }
}

void work();
