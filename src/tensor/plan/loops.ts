/** The loops of a fused kernel: axes of its domain merged wherever every operand allows it. */
import type { ReduceAttributes } from '../kernels/reduce.ts';
import type { Access, Extent } from '../wasm/fused.ts';
import type { Value } from './program.ts';

/** The axes a kernel runs over: those of `shape`, and lanes of space number `space` before them. */
export interface Domain {
  readonly shape: readonly number[];
  readonly space: number;
}

/** A merged axis: its length is `size`, times the number of lanes if `lanes`. */
interface LoopAxis {
  readonly size: number;
  readonly lanes: boolean;
}

export interface Loops {
  /** At least two: the last is the inner loop. */
  readonly axes: readonly LoopAxis[];
  /** Whether operand i advances along each axis. */
  readonly moves: readonly (readonly boolean[])[];
  /** Whether reduction i keeps each axis. */
  readonly keeps: readonly (readonly boolean[])[];
}

/** The axes of the domain, first to last, leaving out logical axes of length 1. */
function axesOf(domain: Domain): { size: number; lanes: boolean; axis: number }[] {
  const axes = domain.shape.map((size, axis) => ({ size, lanes: false, axis })).filter(({ size }) => size !== 1);
  return domain.space < 0 ? axes : [{ size: 1, lanes: true, axis: -1 }, ...axes];
}

/** `tables` are operands that are read at places which others name, and so do not advance. */
export function loopsOf(
  domain: Domain,
  operands: readonly Value[],
  reductions: readonly Value[],
  tables: readonly Value[],
): Loops {
  const axes = axesOf(domain);
  const rank = domain.shape.length;
  const moves = operands.map((operand) =>
    axes.map(({ axis, lanes }) => {
      if (tables.includes(operand)) return false;
      if (lanes) return operand.space >= 0;
      const own = axis - (rank - operand.shape.length);
      return own >= 0 && operand.shape[own] !== 1;
    }),
  );
  const keeps = reductions.map((reduction) => {
    const { axes: gone, lanes: lanesGone } = reduction.attributes as ReduceAttributes;
    return axes.map(({ axis, lanes }) => (lanes ? !lanesGone : !gone.includes(axis)));
  });
  const patterns = [...moves, ...keeps];
  const merged: { size: number; lanes: boolean; first: number }[] = [];
  axes.forEach(({ size, lanes }, i) => {
    const last = merged[merged.length - 1];
    if (last !== undefined && patterns.every((pattern) => pattern[i] === pattern[last.first])) {
      last.size *= size;
      last.lanes ||= lanes;
    } else {
      merged.push({ size, lanes, first: i });
    }
  });
  const pick = (pattern: readonly boolean[], filler: boolean): boolean[] => [
    ...Array.from({ length: Math.max(0, 2 - merged.length) }, () => filler),
    ...merged.map(({ first }) => pattern[first]),
  ];
  const padding = Array.from({ length: Math.max(0, 2 - merged.length) }, () => ({ size: 1, lanes: false }));
  return {
    axes: [...padding, ...merged.map(({ size, lanes }) => ({ size, lanes }))],
    moves: moves.map((pattern) => pick(pattern, false)),
    keeps: keeps.map((pattern) => pick(pattern, merged.length === 1 ? pattern[merged[0].first] : true)),
  };
}

export function accessOf(operand: Value, moves: readonly boolean[]): Access {
  if (operand.isScalar) return 'scalar';
  return moves[moves.length - 1] ? 'each' : 'row';
}

/** What a reduction covers of the two innermost loops, or null if it cannot be part of the kernel. */
export function extentOf(keeps: readonly boolean[]): Extent | null {
  const rank = keeps.length;
  for (let i = 0; i < rank - 2; i++) if (!keeps[i]) return null;
  const outer = keeps[rank - 2];
  const inner = keeps[rank - 1];
  if (outer && inner) return null;
  // Over both loops the result is one number, which only fits if nothing runs around them.
  if (!outer && !inner) return rank === 2 ? 'all' : null;
  return outer ? 'inner' : 'outer';
}
