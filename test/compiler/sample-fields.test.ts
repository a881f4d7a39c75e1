import { describe, expect, test } from 'vitest';
import { compile, prepareParser } from '../../src/compiler/compile.ts';

/** Which field of all samples the compiler says is read, if it says so. */
function fieldRead(code: string, language: 'wppl' | 'ts' = 'wppl'): string | undefined {
  const { code: emitted } = compile(code, {
    file: `model.${language}`,
    language,
    library: new Map(Object.entries({ map: { calls: 0 }, sum: { pure: true }, Infer: { infers: 'any' }, _: {} })),
  });
  return /\$\.sampleField\(.*?, '(\w+)'\)/.exec(emitted)?.[1];
}

const DIST = 'var dist = Infer({}); ';

describe('one field of all samples', () => {
  test.each([
    ['map(function(s) { return s.value; }, dist.samples)', 'value'],
    ['map(function(s) { return s.score }, dist.samples)', 'score'],
    ['sum(map((x) => x.value, Infer({}).samples))', 'value'],
    ['dist.samples.map(function(s) { return s.value; })', 'value'],
  ])('%s', (code, field) => {
    expect(fieldRead(DIST + code)).toBe(field);
  });

  test('typed', async () => {
    await prepareParser('ts');
    const code = "import { Infer, map } from 'waymark'; const dist = Infer({}); ";
    expect(fieldRead(`${code} map((s: Sample) => (s as Sample).value, dist.samples!);`, 'ts')).toBe('value');
    expect(fieldRead(`${code} dist.samples.map((s: Sample): number => s.value!);`, 'ts')).toBe('value');
  });

  test.each([
    'map(function(s) { return s; }, dist.samples)',
    'map(function(s) { return s.value + 1; }, dist.samples)',
    'map(function(s) { return s.other; }, dist.samples)',
    'map(function(s) { return s.value.x; }, dist.samples)',
    'map(function(s) { return s["value"]; }, dist.samples)',
    'map(function(s) { return t.value; }, dist.samples); var t = {value: 1};',
    'map(function(s, t) { return s.value; }, dist.samples)',
    'map(function(s = {value: 1}) { return s.value; }, dist.samples)',
    'map(function(s) { sum([1]); return s.value; }, dist.samples)',
    'map(function(s) { return s.value; }, dist.other)',
    'dist?.samples.map((s) => s.value)',
    'dist.samples?.map((s) => s.value)',
    'dist?.result.samples.map((s) => s.value)',
    'dist.samples.filter((s) => s.value)',
    'var map = function(f, xs) { return f(xs[0]); }; map(function(s) { return s.value; }, dist.samples)',
  ])('not in %s', (code) => {
    expect(fieldRead(DIST + code)).toBeUndefined();
  });
});
