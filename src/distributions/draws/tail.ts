/** The smallest number in (a, b] beyond which no more than `left` probability lies, by halving. Ends may be infinite. */
export function tailQuantile(survival: (x: number) => number, left: number, a: number, b: number): number {
  let low = a === -Infinity ? -1 : a;
  while (a === -Infinity && survival(low) <= left) low *= 2;
  let high = b === Infinity ? Math.max(1, 2 * Math.abs(low)) : b;
  while (b === Infinity && survival(high) > left) high *= 2;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    if (survival(middle) > left) low = middle;
    else high = middle;
  }
}
