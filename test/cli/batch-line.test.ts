import { describe, expect, test } from 'vitest';
import { readBatchLine } from '../../src/cli/batch-line.ts';

describe('a line of a batch', () => {
  test('a program', () => {
    expect(readBatchLine('{"id": "a", "code": "1", "seed": 3}', 4)).toEqual({
      id: 'a',
      program: { code: '1', seed: 3, name: 'line 4' },
    });
  });

  test('a seed is made up where there is none', () => {
    const { program } = readBatchLine('{"id": 1, "code": "1"}', 1);
    expect(program).toMatchObject({ seed: expect.any(Number) });
  });

  test.each([
    [
      '[1]',
      null,
      'Line 2 of the input: expected an object {"id": …, "code": "…", "seed": …}, got an array of length 1.',
    ],
    ['{"id": 5}', 5, 'Line 2 of the input: "code" must be the text of a program, got undefined.'],
    ['{"id": 5, "code": 7}', 5, 'Line 2 of the input: "code" must be the text of a program, got 7.'],
    [
      '{"id": 5, "code": "1", "seed": "x"}',
      5,
      'Line 2 of the input: "seed" must be a whole number, got the string "x".',
    ],
    ['{"id": 5, "code": "1", "seed": 1.5}', 5, 'Line 2 of the input: "seed" must be a whole number, got 1.5.'],
    ['{"id": 5, "code": "1", "seed": 1e999}', 5, 'Line 2 of the input: "seed" must be a whole number, got Infinity.'],
  ])('%s is refused', (text, id, problem) => {
    expect(readBatchLine(text, 2)).toEqual({ id, program: { problem } });
  });

  test.each([
    ['['.repeat(5000), ']'.repeat(5000)],
    ['{"a":'.repeat(5000), `1${'}'.repeat(5000)}`],
  ])('an id nested 5,000 deep is refused: %#', (before, after) => {
    const problem = 'Line 2 of the input: "id" may be nested 100 deep at most.';
    expect(readBatchLine(`{"id": ${before}${after}, "code": "1"}`, 2)).toEqual({ id: null, program: { problem } });
  });

  test('an id may have a million characters', () => {
    const line = (length: number) => readBatchLine(`{"id": "${'x'.repeat(length)}", "code": "1", "seed": 1}`, 2);
    expect(line(1e6)).toMatchObject({ id: 'x'.repeat(1e6), program: { code: '1' } });
    const problem = 'Line 2 of the input: "id" may have a million characters at most.';
    expect(line(2 ** 20)).toEqual({ id: null, program: { problem } });
  });

  test('a line that is too long to be read is refused', () => {
    const problem = 'Line 2 of the input: this is longer than the 500 million characters that a text may have.';
    expect(readBatchLine(null, 2)).toEqual({ id: null, program: { problem } });
  });

  test('the mark before a text counts for nothing', () => {
    expect(readBatchLine('\ufeff{"code": "1", "seed": 1}', 1).program).toMatchObject({ code: '1' });
  });

  test('what is not JSON is refused with the line number', () => {
    const { id, program } = readBatchLine('{oops', 7);
    expect(id).toBeNull();
    expect(program).toMatchObject({ problem: expect.stringMatching(/^Line 7 of the input: this is not JSON \(/) });
  });
});
