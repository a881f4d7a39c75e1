import { describe, expect, test } from 'vitest';
import { lift } from '../../build/lift.ts';

const lifted = (source: string) =>
  lift(source, 'ops', (s) => s)
    .split('\n')
    .slice(1)
    .join('\n');

describe('lift', () => {
  test.each([
    ['a + b * c', '$l.add(a , $l.mul(b , c))'],
    ['(a + b) * c', '$l.mul(($l.add(a , b)) , c)'],
    ['-x', '$l.neg(x)'],
    ['-1 + x', '$l.add(-1 , x)'],
    ['a < b ? x : -y', '$l.choose($l.lt(a , b) , () => ( x ), () => ( $l.neg(y)))'],
    ['a && !b || c', '$l.or($l.and(a , () => ( $l.not(b))) , () => ( c))'],
    ['Math.log(x) / Math.LN2', '$l.div($l.math.log(x) , Math.LN2)'],
    [
      'x === 0 ? 1 : x > 0 ? 2 : 3',
      '$l.choose($l.eq(x , 0) , () => ( 1 ), () => ( $l.choose($l.gt(x , 0) , () => ( 2 ), () => ( 3))))',
    ],
    ['f(a /* + */ - b)', 'f($l.sub(a /* + */ , b))'],
    ['(x as number) + 1', '$l.add((x as number) , 1)'],
  ])('%s', (source, expected) => expect(lifted(`const r = ${source};`)).toBe(`const r = ${expected};`));

  test('a return under a condition becomes a choice', () => {
    const source = 'function f(x: number): number { if (x <= 0) return -Infinity; const y = x * 2; return y; }';
    expect(lifted(source)).toBe(
      'function f(x: number): number { return $l.choose(($l.le(x , 0)), () => { return -Infinity; }, () => { const y = $l.mul(x , 2); return y;}); }',
    );
  });

  test('both sides return', () => {
    const source = 'function f(x) { if (x) { return 1; } else if (y) return 2; else { return 3; } }';
    expect(lifted(source)).toBe(
      'function f(x) { return $l.choose((x), () => { return 1; } , () =>  { return $l.choose((y), () => { return 2; } , () =>  { return 3; }); }); }',
    );
  });

  test('a condition without return is decided', () => {
    expect(lifted('let t = 0; if (x > 0) t += x;')).toBe('let t = 0; if ($l.truth($l.gt(x , 0))) t = $l.add(t,  x);');
  });
});
