import { expect, test } from 'vitest';
import { resultOf } from '../../src/cli/result.ts';

// (The same text many times over takes no memory until it is written.)
test('results longer than JavaScript’s strings are refused in words', () => {
  const long = 'x'.repeat(2 ** 24);
  expect(() => resultOf({ value: Array(33).fill(long) }, [])).toThrow(
    'The result cannot be written as JSON: it has more than 500 million characters. Return what is needed of it',
  );
  expect(resultOf({ value: [1, 'two'] }, ['shown'])).toBe('{"ok":true,"value":[1,"two"],"outputs":["shown"]}');
});
