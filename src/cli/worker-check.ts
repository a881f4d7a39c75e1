/** `waymark check`, in a thread with the stack that programs have, since compiling recurses as deep as they nest. */
import type { Located } from '../program/locate.ts';
import { report } from '../program/report.ts';
import { Paint } from './colour.ts';
import type { CheckJob } from './jobs.ts';
import { loaded } from './outcome.ts';
import { STDERR, write } from './streams.ts';

export async function checkPrograms({ files, types, quiet }: CheckJob): Promise<void> {
  const paint = new Paint(STDERR);
  const complain = (error: Located): void => {
    process.exitCode = 1;
    if (!quiet) write(STDERR, `${paint.error(report(error))}\n`);
  };
  const sound: string[] = [];
  for (const file of files) {
    const program = await loaded(file);
    if ('error' in program) complain(program.error);
    else sound.push(file);
  }
  // What does not compile would only be complained of twice.
  if (types && sound.some((file) => file.endsWith('.ts'))) {
    const { typeErrors } = await import('./check-types.ts');
    for (const error of typeErrors(sound)) complain(error);
  }
}
