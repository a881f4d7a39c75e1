import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { number, UsageError } from './arguments.ts';
import { command } from './command.ts';
import { commonOptions, engineOf, engineOptions, randomSeed } from './settings.ts';

export const replCommand = command({
  summary: 'try things out: type a piece of a program, see its value',
  usage: '[options]',
  details: [
    'Evaluates WebPPL’s language line by line; what one input defines, later ones see. An input that is not finished goes on',
    'in the next line. Outside of Infer, choices are drawn. .help lists what else can be typed. Without a terminal, inputs are',
    'read from stdin.',
  ],
  options: {
    seed: number('seed', SEED_KIND, isSeed, 'seed of the random numbers'),
    ...engineOptions,
    ...commonOptions,
  },

  async run({ settings, operands }) {
    if (operands.length > 0) {
      throw new UsageError(`waymark repl takes no files; type .load ${operands[0]} in it, or use waymark run.`);
    }
    const { Repl } = await import('./repl.ts');
    const { seed = randomSeed(), quiet = false } = settings;
    return new Repl({ seed, engine: engineOf(settings), quiet }).run();
  },
});
