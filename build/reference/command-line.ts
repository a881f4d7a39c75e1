/** The `waymark` command, as its own help describes it. */
import { commandHelp, overview } from '../../src/cli/help.ts';
import { commands } from '../../src/cli/main.ts';

const block = (text: string): string => `\`\`\`text\n${text.trim()}\n\`\`\``;

export function commandLine(): string[] {
  const sections = Object.entries(commands).map(
    ([name, command]) => `## ${name}\n\n${block(commandHelp(name, command))}`,
  );
  return ['# Command line', block(overview(commands)), ...sections];
}
