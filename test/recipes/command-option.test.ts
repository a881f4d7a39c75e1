/** A new option of the command is an entry among its options: help, checks and messages follow from it. */
import { expect, test, vi } from 'vitest';

vi.mock('../../src/cli/settings.ts', async (original) => {
  const settings = await original<typeof import('../../src/cli/settings.ts')>();
  const { oneOf } = await import('../../src/cli/arguments.ts');
  const voice = oneOf('voice', ['low', 'high'], 'how loud it is');
  return { ...settings, commonOptions: { ...settings.commonOptions, voice } };
});

const { readArguments } = await import('../../src/cli/arguments.ts');
const { commandHelp } = await import('../../src/cli/help.ts');
const { commands } = await import('../../src/cli/main.ts');

const read = (name: string, ...given: string[]) => readArguments(name, commands[name].options, given);

test.each(['run', 'check', 'batch'])('waymark %s takes a new option', (name) => {
  expect(commandHelp(name, commands[name])).toMatch(/--voice low\|high +how loud it is/);
  expect(read(name, 'model.wppl', '--voice', 'high')).toMatchObject({
    settings: { voice: 'high' },
    operands: ['model.wppl'],
  });
  expect(() => read(name, '--voice', 'hihg')).toThrow("Did you mean 'high'?");
  expect(() => read(name, '--voise', 'high')).toThrow("Did you mean '--voice'?");
});
