import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('check');
  waymark.write('good.wppl', 'console.log("run"); flip(0.5)');
  waymark.write('good.ts', 'const x: number = 1;\nexport default x;\n');
  waymark.write('bad.wppl', 'var x = 1;\nvar y = ;\n');
  waymark.write('worse.js', 'export default class {}\n');
});

afterAll(() => waymark.remove());

describe('check', () => {
  test('says nothing of programs that compile, and does not run them', async () => {
    expect(await waymark.run('check', 'good.wppl', 'good.ts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('reports the errors of every file', async () => {
    const { code, stdout, stderr } = await waymark.run('check', 'bad.wppl', 'good.wppl', 'worse.js');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('bad.wppl:2:9');
    expect(stderr).toContain('worse.js:1:');
  });

  test('--quiet only sets the exit code', async () => {
    expect(await waymark.run('check', '--quiet', 'bad.wppl')).toEqual({ code: 1, stdout: '', stderr: '' });
  });
});
