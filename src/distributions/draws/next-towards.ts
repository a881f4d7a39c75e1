/** A number just beyond `from` on the way to `to`. */
export function nextTowards(from: number, to: number): number {
  const direction = Math.sign(to - from);
  let step = Math.max(Number.MIN_VALUE, Math.abs(from) * 2 ** -53);
  while (from + direction * step === from) step *= 2;
  return from + direction * step;
}
