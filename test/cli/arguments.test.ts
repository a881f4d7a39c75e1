import { describe, expect, test } from 'vitest';
import { flag, number, oneOf, readArguments, text, UsageError } from '../../src/cli/arguments.ts';
import { isSeed, SEED_KIND } from '../../src/runtime/seed.ts';

const options = {
  seed: number('seed', SEED_KIND, isSeed, 'the seed'),
  json: text('OUT', 'a file'),
  device: oneOf('device', ['js', 'wasm', 'blas'], 'a device'),
  quiet: flag('be quiet'),
};

const read = (...given: string[]) => readArguments('run', options, given);

/** The message of the usage error that these arguments are. */
function complaint(...given: string[]): string {
  try {
    read(...given);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('these arguments were accepted');
}

describe('arguments', () => {
  test('options, operands and the rest, in any order', () => {
    expect(read('--seed', '7', 'a.wppl', '--quiet', '--json=out.json', '--', '--seed', 'x')).toEqual({
      settings: { seed: 7, quiet: true, json: 'out.json' },
      operands: ['a.wppl'],
      rest: ['--seed', 'x'],
    });
  });

  test('what is not given is absent', () => {
    expect(read()).toEqual({ settings: {}, operands: [], rest: [] });
  });

  test('a value may be negative, or contain an equals sign', () => {
    expect(read('--seed', '-3').settings.seed).toBe(-3);
    expect(read('--json=a=b').settings.json).toBe('a=b');
  });

  test('a lone dash is an operand', () => {
    expect(read('-').operands).toEqual(['-']);
  });

  test.each([
    [['--sed', '3'], "waymark run has no option --sed. Did you mean '--seed'?"],
    [['--frobnicate'], 'waymark run has no option --frobnicate. See waymark run --help.'],
    [['--sed=3'], "waymark run has no option --sed. Did you mean '--seed'?"],
    [['-seed', '3'], "waymark run has no option -seed. Did you mean '--seed'?"],
    [['--constructor'], 'waymark run has no option --constructor. See waymark run --help.'],
    [['--seed', 'abc'], "--seed must be a whole number, got 'abc'."],
    [['--seed', 'NaN'], "--seed must be a whole number, got 'NaN'."],
    [['--seed', '1.5'], "--seed must be a whole number, got '1.5'."],
    [['--seed', '9007199254740993'], "--seed must be a whole number, got '9007199254740993'."],
    [['--seed', ' '], "--seed must be a whole number, got ' '."],
    [['--seed'], '--seed needs a value: --seed N.'],
    [['--seed='], '--seed needs a value: --seed N.'],
    [['--json'], '--json needs a value: --json OUT.'],
    [['--json', '--seed', '3'], '--json needs a value: --json OUT.'],
    [['--quiet=yes'], "--quiet is a switch and takes no value, got 'yes'."],
    [['--seed', '1', '--seed', '2'], '--seed is given twice.'],
    [['--device', 'gpu'], "--device must be js, wasm or blas, got 'gpu'."],
    [['--device', 'wsm'], "--device must be js, wasm or blas, got 'wsm'. Did you mean 'wasm'?"],
  ])('%j: %s', (given, message) => {
    expect(complaint(...given)).toBe(message);
  });
});
