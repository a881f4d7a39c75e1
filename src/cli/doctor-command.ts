import { flag, UsageError } from './arguments.ts';
import { calmUcx } from './calm-ucx.ts';
import { command } from './command.ts';
import { STDOUT, write } from './streams.ts';

/** Put in by the build, from package.json. */
declare const WAYMARK_VERSION: string;

export const doctorCommand = command({
  summary: 'say what this machine offers the engine, and what to install',
  usage: '',
  details: [
    'Prints versions, devices, and how fast they multiply matrices: billions of operations per second, best of several.',
  ],
  options: { help: flag('show this help') },

  async run({ operands }) {
    if (operands.length > 0) throw new UsageError('waymark doctor takes no arguments.');
    calmUcx();
    // Loaded here, because no other command needs the engine in this thread.
    const { examine } = await import('./engine-examination.ts');
    write(STDOUT, `Waymark ${WAYMARK_VERSION} on Node ${process.version}, ${process.platform} ${process.arch}\n`);
    for (const line of examine()) write(STDOUT, `${line}\n`);
    return 0;
  },
});
