/** `waymark check`, in a thread with the stack that programs have, since compiling recurses as deep as they nest. */
import { report } from '../program/report.ts';
import type { CheckJob } from './jobs.ts';
import { loaded } from './outcome.ts';
import { STDERR, write } from './streams.ts';

export async function checkPrograms({ files, quiet }: CheckJob): Promise<void> {
  for (const file of files) {
    const program = await loaded(file);
    if (!('error' in program)) continue;
    process.exitCode = 1;
    if (!quiet) write(STDERR, `${report(program.error)}\n`);
  }
}
