import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { checkProgramFile, makeOutputFolder } from './files.ts';
import type { ExportJob } from './jobs.ts';
import { commonOptions } from './settings.ts';
import { STDERR, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

export const exportCommand = command({
  summary: 'write a model with its trained network as one module that needs nothing else',
  usage: 'FILE --net FILE --out DIR',
  details: [
    'Writes DIR/NAME.js and DIR/NAME.d.ts, NAME being that of the program: a module for Node and pages that holds the model, the network that',
    'Amortize has trained for it, and what runs them. It exports posterior(data, options), posteriors(list, options) and example.',
    "The program's value must be the model, or {model, example}. It is compiled now: pages need no permission to evaluate text.",
  ],
  options: {
    net: text('FILE', 'the network that Amortize has trained for the model, as save left it'),
    out: text('DIR', 'the folder to write to; it is made if there is none'),
    ...commonOptions,
  },

  async run({ settings, operands }) {
    if (operands.length !== 1)
      throw new UsageError('waymark export needs one program: waymark export FILE --net FILE --out DIR.');
    const [file] = operands;
    const { net, out, quiet = false } = settings;
    checkProgramFile(file);
    if (net === undefined) throw new UsageError('waymark export needs the network: --net FILE.');
    if (out === undefined) throw new UsageError('waymark export needs the folder to write to: --out DIR.');
    if (!existsSync(net)) throw new UsageError(`--net: there is no file '${net}' (${resolve(net)}).`);
    makeOutputFolder('--out', out);
    const job: ExportJob = { kind: 'export', file, net: resolve(net), out: resolve(out), engine: {}, quiet };
    const end = await ending(startThread(job));
    if ('code' in end) return end.code;
    write(STDERR, `${end.fault}\n`);
    return 1;
  },
});
