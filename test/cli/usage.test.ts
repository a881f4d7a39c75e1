import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/arguments.ts';
import { dispatch } from '../../src/cli/main.ts';
import { Command } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('usage');
  waymark.write('model.wppl', '1 + 1');
  waymark.write('notes.txt', 'text');
  mkdirSync(join(waymark.folder, 'models.wppl'));
  execFileSync('mkfifo', [join(waymark.folder, 'pipe.wppl')]);
});

afterAll(() => waymark.remove());

describe('help', () => {
  test('no command and --help say the same', async () => {
    const bare = await waymark.run();
    expect(bare).toMatchObject({ code: 0, stderr: '' });
    expect(bare.stdout).toMatch(/^Usage: waymark COMMAND \[options\]\n/);
    for (const word of ['run', 'batch', 'check', '--help', '--version']) expect(bare.stdout).toContain(`\n  ${word} `);
    expect(await waymark.run('--help')).toEqual(bare);
  });

  test.each([
    ['run', ['--seed N', '--json OUT', '--sequential', '--device js|wasm|blas', '--threads N', '--quiet', '--help']],
    ['batch', ['--timeout N', '--sequential', '--device js|wasm|blas', '--threads N', '--quiet', '--help']],
    ['check', ['--quiet', '--help']],
  ])('of %s', async (name, options) => {
    const help = await waymark.run(name, '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: waymark ${name} `);
    expect(await waymark.run('help', name)).toEqual(help);
    for (const option of options) expect(help.stdout).toContain(`\n  ${option} `);
  });

  test('is given even if the rest is wrong, but not for the arguments of a program', async () => {
    expect((await waymark.run('run', '--sed', '1', '--help')).stdout).toContain('Usage: waymark run');
    expect((await waymark.run('run', 'model.wppl', '--', '--help')).stdout).toBe('2\n');
  });

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await waymark.run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

/** `@` stands for the folder with the files. */
const inFolder = (text: string) => text.replaceAll('@', waymark.folder);

describe('a mistake is one line on stderr and exit code 1', () => {
  test('as in these', async () => {
    const ended = await Promise.all([waymark.run('rnu'), waymark.run('run', 'model.wppl', '--seed', 'abc')]);
    expect(ended).toEqual([
      { code: 1, stdout: '', stderr: "waymark has no command rnu. Did you mean 'run'?\n" },
      { code: 1, stdout: '', stderr: "--seed must be a whole number, got 'abc'.\n" },
    ]);
  });

  // The others in this process, which is faster.
  test.each([
    [['rnu', 'model.wppl'], "waymark has no command rnu. Did you mean 'run'?"],
    [
      ['frobnicate'],
      'waymark has no command frobnicate. The commands are run, batch, check, repl, init, serve, export, reproduce, doctor, playground.',
    ],
    [
      ['constructor'],
      'waymark has no command constructor. The commands are run, batch, check, repl, init, serve, export, reproduce, doctor, playground.',
    ],
    [['model.wppl'], 'waymark has no command model.wppl. To run a file: waymark run model.wppl.'],
    [['--verison'], "waymark has no option --verison. Did you mean '--version'?"],
    [['run'], 'waymark run needs a file to run: waymark run FILE.'],
    [
      ['run', 'model.wppl', 'x'],
      'waymark run runs one file, got model.wppl and x. Arguments of the program go after --.',
    ],
    [['run', '@/modle.wppl'], "There is no file @/modle.wppl. Did you mean 'model.wppl'?"],
    [['run', '@/nowhere/to/be/found.wppl'], 'There is no file @/nowhere/to/be/found.wppl.'],
    [['run', '@'], "@ is a folder; give a program's file."],
    [['run', '@/models.wppl'], "@/models.wppl is a folder; give a program's file."],
    [['run', '@/notes.txt'], '@/notes.txt does not end in .wppl, .ts or .js, the kinds of programs that Waymark runs.'],
    [['run', 'model.wppl', '--seed', 'abc'], "--seed must be a whole number, got 'abc'."],
    [['run', 'model.wppl', '--seed', 'Infinity'], "--seed must be a whole number, got 'Infinity'."],
    [['run', 'model.wppl', '--seed'], '--seed needs a value: --seed N.'],
    [['run', 'model.wppl', '--json'], '--json needs a value: --json OUT.'],
    [['run', '@/model.wppl', '--json', '@'], '--json @ is a folder; give a file to write.'],
    [
      ['run', '@/model.wppl', '--json', '@/no/out.json'],
      '--json @/no/out.json cannot be written: there is no folder @/no.',
    ],
    [['run', 'model.wppl', '--device', 'gpu'], "--device must be js, wasm or blas, got 'gpu'."],
    [['run', 'model.wppl', '--threads', '0'], "--threads must be a whole number from 1 to 1024, got '0'."],
    [['run', 'model.wppl', '--threads', '1.5'], "--threads must be a whole number from 1 to 1024, got '1.5'."],
    [['run', 'model.wppl', '--sequental'], "waymark run has no option --sequental. Did you mean '--sequential'?"],
    [
      ['batch', 'programs.jsonl'],
      'waymark batch reads programs from stdin, got programs.jsonl. Use waymark batch < FILE.',
    ],
    [['batch', '--timeout', '-1'], "--timeout must be a number of seconds greater than 0, got '-1'."],
    [['run', '@/pipe.wppl'], "@/pipe.wppl is a pipe or a device; give a program's file."],
    [['check'], 'waymark check needs files to check: waymark check FILE….'],
    [['check', '@/model.wppl', '@/gone.wppl'], 'There is no file @/gone.wppl.'],
  ])('%j', async (args, message) => {
    await expect(dispatch(args.map(inFolder))).rejects.toThrow(new UsageError(inFolder(message)));
  });

  // The superuser may read and write everything.
  test.skipIf(process.getuid?.() === 0)('files whose permissions forbid it', async () => {
    waymark.write('secret.wppl', '1');
    chmodSync(join(waymark.folder, 'secret.wppl'), 0o000);
    const message = 'secret.wppl may not be read; change its permissions.\n';
    expect(await waymark.run('run', 'secret.wppl')).toEqual({ code: 1, stdout: '', stderr: message });
    const { stderr } = await waymark.run('run', 'model.wppl', '--json', 'secret.wppl');
    expect(stderr).toBe('--json secret.wppl cannot be written: its permissions do not allow it.\n');
  });
});

test('the engine may be chosen', async () => {
  for (const args of [
    ['--sequential'],
    ['--device', 'wasm'],
    ['--threads', '2', '--device=blas'],
    ['--device', 'js'],
  ]) {
    expect(await waymark.run('run', 'model.wppl', ...args)).toEqual({ code: 0, stdout: '2\n', stderr: '' });
  }
});
