/** JavaScript's operators on whole numbers of 32 bits, on plain values. */
export const bitwise = {
  bitOr: (a: unknown, b: unknown): number => (a as number) | (b as number),
  bitAnd: (a: unknown, b: unknown): number => (a as number) & (b as number),
  bitXor: (a: unknown, b: unknown): number => (a as number) ^ (b as number),
  shiftLeft: (a: unknown, b: unknown): number => (a as number) << (b as number),
  shiftRight: (a: unknown, b: unknown): number => (a as number) >> (b as number),
  shiftRightUnsigned: (a: unknown, b: unknown): number => (a as number) >>> (b as number),
  bitNot: (a: unknown): number => ~(a as number),
} as const;

type Apply = (native: (...operands: unknown[]) => number) => (...operands: unknown[]) => unknown;

/** The same for values that may be more than numbers: `apply` says how a function of plain ones is applied to them. */
export function bitwiseBy(apply: Apply): Record<keyof typeof bitwise, (...operands: unknown[]) => unknown> {
  const names = Object.keys(bitwise) as (keyof typeof bitwise)[];
  const made = names.map((name) => [name, apply(bitwise[name] as (...operands: unknown[]) => number)] as const);
  return Object.fromEntries(made) as ReturnType<typeof bitwiseBy>;
}
