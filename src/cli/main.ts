/** The `waymark` command: finds the command that is meant, and runs it. */
import { didYouMean } from '../runtime/errors.ts';
import { readArguments, UsageError } from './arguments.ts';
import { batchCommand } from './batch-command.ts';
import { checkCommand } from './check-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { exportCommand } from './export-command.ts';
import { type Commands, commandHelp, overview } from './help.ts';
import { initCommand } from './init-command.ts';
import { playgroundCommand } from './playground-command.ts';
import { ranksToJoin, turnToSpeak } from './rank-launch.ts';
import { replCommand } from './repl-command.ts';
import { reproduceCommand } from './reproduce-command.ts';
import { runCommand } from './run-command.ts';
import { serveCommand } from './serve-command.ts';
import { endCleanlyOnSignals } from './signals.ts';
import { STDERR, STDOUT, write } from './streams.ts';

/** Put in by the build, from package.json. */
declare const WAYMARK_VERSION: string;

/** By the name that follows `waymark`. */
export const commands: Commands = {
  run: runCommand,
  batch: batchCommand,
  check: checkCommand,
  repl: replCommand,
  init: initCommand,
  serve: serveCommand,
  export: exportCommand,
  reproduce: reproduceCommand,
  doctor: doctorCommand,
  playground: playgroundCommand,
};

/** Runs `waymark` with the given arguments; resolves to the exit code. */
export async function main(given: readonly string[]): Promise<number> {
  endCleanlyOnSignals();
  try {
    return await dispatch(given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const ranks = ranksToJoin({});
    if (ranks !== undefined) await turnToSpeak(ranks);
    write(STDERR, `${error.message}\n`);
    return 1;
  }
}

/** The same, but a mistake in the arguments is thrown as a `UsageError`. */
export async function dispatch([name, ...rest]: readonly string[]): Promise<number> {
  if (name === 'help' && rest.length > 0) return dispatch([rest[0], '--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    write(STDOUT, overview(commands));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    write(STDOUT, `${WAYMARK_VERSION}\n`);
    return 0;
  }
  if (!Object.hasOwn(commands, name)) throw new UsageError(unknownCommand(name));
  const command = commands[name];
  if (wantsHelp(rest)) {
    write(STDOUT, commandHelp(name, command));
    return 0;
  }
  return command.run(readArguments(name, command.options, rest));
}

/** Help is given however wrong the rest of the line is. */
function wantsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) {
    return `waymark has no option ${name}.${didYouMean(name, ['--help', '--version']) || ' See waymark --help.'}`;
  }
  const names = Object.keys(commands);
  const file = /\.(wppl|ts|js)$/.test(name) ? ` To run a file: waymark run ${name}.` : '';
  const hint = file || didYouMean(name, names) || ` The commands are ${names.join(', ')}.`;
  return `waymark has no command ${name}.${hint}`;
}
