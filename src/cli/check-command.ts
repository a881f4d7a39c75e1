import { flag, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { checkProgramFile } from './files.ts';
import { commonOptions } from './settings.ts';
import { STDERR, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

export const checkCommand = command({
  summary: 'say what is wrong with programs, without running them',
  usage: 'FILE…',
  details: [
    'Compiles each file and reports its errors. The exit code is 1 if there are any, and 0 otherwise.',
    'Of .ts files type errors are reported too, where TypeScript is installed beside them (npm install --save-dev typescript).',
  ],
  options: { 'no-types': flag('leave type errors out'), ...commonOptions },

  async run({ settings, operands }) {
    if (operands.length === 0) throw new UsageError('waymark check needs files to check: waymark check FILE….');
    for (const file of operands) checkProgramFile(file);
    const end = await ending(
      startThread({ kind: 'check', files: operands, types: !settings['no-types'], quiet: settings.quiet ?? false }),
    );
    if ('code' in end) return end.code;
    write(STDERR, `${end.fault}\n`);
    return 1;
  },
});
