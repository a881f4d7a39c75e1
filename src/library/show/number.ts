/** Numbers as a reader of a table wants them. */

/** About four digits: `0.1235`, `12.35`, `1235`, `1.235e+9`. Whole numbers up to nine digits stay whole. */
export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return x === Infinity ? '∞' : x === -Infinity ? '-∞' : 'NaN';
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e9) return Object.is(x, -0) ? '0' : String(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(3);
  if (size >= 1000) return x.toFixed(0);
  return x.toPrecision(4);
}

/** A probability with four decimals; the very small ones by their size. */
export function probabilityText(p: number): string {
  if (p === 0 || p >= 5e-5) return p.toFixed(4);
  return p.toExponential(1);
}
