import { machine } from '../runtime/machine.ts';
import { standInFor } from './stand-in.ts';

/** Arguments by name; under `_` those without one. */
export type Argv = { _: (string | number)[] } & Record<string, unknown>;

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|^0x[\da-f]+$/i;

const value = (text: string): string | number => (NUMBER.test(text) ? Number(text) : text);

/** Program arguments as an object: `data.csv --n 3 --fast` is `{_: ['data.csv'], n: 3, fast: true}`. */
export function parseArgv(args: readonly string[]): Argv {
  const argv: Argv = { _: [] };
  for (let i = 0; i < args.length; i++) {
    const option = /^--?([^\d.=-][^=]*)(?:=([\s\S]*))?$/.exec(args[i]);
    if (args[i] === '--') {
      argv._.push(...args.slice(i + 1).map(value));
      break;
    }
    if (option === null) {
      argv._.push(value(args[i]));
      continue;
    }
    const [, name, attached] = option;
    const next = args[i + 1];
    if (attached !== undefined) argv[name] = value(attached);
    else if (name.startsWith('no-')) argv[name.slice(3)] = false;
    else if (next === undefined || (next.startsWith('-') && !NUMBER.test(next))) argv[name] = true;
    else {
      argv[name] = next === 'true' ? true : next === 'false' ? false : value(next);
      i++;
    }
  }
  return argv;
}

/** The arguments of the program, which follow `--` on the command line: `waymark run model.ts -- --n 3` has `argv.n`. */
export const argv: Argv = standInFor(() => parseArgv(machine.run.args));
