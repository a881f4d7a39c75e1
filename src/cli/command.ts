import type { Arguments, Options } from './arguments.ts';

/** One command of `waymark`: what help says of it, what it takes, and what it does. */
export interface Command<O extends Options = Options> {
  readonly summary: string;
  /** After the command's name in its usage line. */
  readonly usage: string;
  /** Paragraphs of help. */
  readonly details: readonly string[];
  readonly options: O;
  /** Resolves to the exit code. */
  run(args: Arguments<O>): Promise<number>;
}

/** Checks a command's options against each other, and forgets which they are, for a table of commands. */
export function command<O extends Options>(definition: Command<O>): Command {
  return definition as unknown as Command;
}
