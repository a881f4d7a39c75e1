/** Help texts, made from the table of commands so that they cannot disagree with it. */
import type { Options } from './arguments.ts';
import { Paint } from './colour.ts';
import type { Command } from './command.ts';
import { STDOUT } from './streams.ts';

export type Commands = Readonly<Record<string, Command>>;

/** What `waymark --help` says. */
export function overview(commands: Commands): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary]);
  return headed([
    'Usage: waymark COMMAND [options]',
    '',
    'Runs probabilistic programs.',
    '',
    'Commands:',
    ...columns(rows),
    '',
    'Options:',
    ...columns([
      ['--help', 'show this help, or after a command, its own'],
      ['--version', 'show the version'],
    ]),
    '',
  ]);
}

/** Headings stand out on a terminal. */
function headed(lines: readonly string[]): string {
  const paint = new Paint(STDOUT);
  return lines
    .map((line) => line.replace(/^(?:Usage|Commands|Options):/, (word) => paint.text(word, 'bold')))
    .join('\n');
}

/** What `waymark NAME --help` says. */
export function commandHelp(name: string, { usage, details, options }: Command): string {
  return headed([
    `Usage: waymark ${name} ${usage}`.trimEnd(),
    '',
    ...details,
    '',
    'Options:',
    ...optionRows(options),
    '',
  ]);
}

function optionRows(options: Options): string[] {
  return columns(
    Object.entries(options).map(([name, { value, summary }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      summary,
    ]),
  );
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
