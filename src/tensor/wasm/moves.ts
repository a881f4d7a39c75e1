/**
 * Operations that only move elements: a table of offsets says, for each element on one side, which element on the other
 * it belongs to. The table is the same for every lane, and made once per plan.
 */
import { type PatchAttributes, patchSources } from '../kernels/convolution.ts';
import {
  type TransposeAttributes,
  transposeOffsets,
  type WindowAttributes,
  windowOffsets,
} from '../kernels/structure.ts';
import type { Attributes, Op } from '../node.ts';
import { PATCHES, UNPATCH } from '../ops/convolution.ts';
import { PAD, SLICE, TRANSPOSE } from '../ops/structure.ts';
import { type Shape, sizeOf } from '../shape.ts';
import { type Expression, I32, ModuleBuilder } from './assembler.ts';
import { copyMemory, f32, f64, fillMemory, i32, v128 } from './instructions.ts';
import { addRunningSums } from './running-sums.ts';

export interface Move {
  /** `gather`: out[i] = in[offsets[i]], 0 for −1. `add`: out[offsets[i]] += in[i], nothing for −1. */
  readonly kind: 'gather' | 'add';
  readonly offsets: Int32Array;
}

type MakeMove = (input: Shape, out: Shape, attributes: Attributes | null) => Move;

const moves: ReadonlyMap<Op, MakeMove> = new Map<Op, MakeMove>([
  [
    TRANSPOSE,
    (input, _out, attributes) => ({
      kind: 'gather',
      offsets: transposeOffsets(input, false, (attributes as TransposeAttributes).permutation),
    }),
  ],
  [
    SLICE,
    (input, out, attributes) => ({
      kind: 'gather',
      offsets: windowOffsets(input, out, false, (attributes as WindowAttributes).begin),
    }),
  ],
  [
    PAD,
    (input, out, attributes) => {
      const offsets = new Int32Array(sizeOf(out)).fill(-1);
      windowOffsets(out, input, false, (attributes as WindowAttributes).begin).forEach((to, from) => {
        offsets[to] = from;
      });
      return { kind: 'gather', offsets };
    },
  ],
  [PATCHES, (_input, _out, attributes) => ({ kind: 'gather', offsets: patchSources(attributes as PatchAttributes) })],
  [UNPATCH, (_input, _out, attributes) => ({ kind: 'add', offsets: patchSources(attributes as PatchAttributes) })],
]);

/** How an operation moves the elements of one lane; null if it does more than that. */
export function moveOf(op: Op, input: Shape, out: Shape, attributes: Attributes | null): Move | null {
  return moves.get(op)?.(input, out, attributes) ?? null;
}

/** Blocks of elements that lie side by side, in both of two arrays: their number, and where they are in the larger one. */
interface Blocks {
  readonly count: number;
  readonly width: number;
  /** Where the first is, and how far it is to the next. */
  readonly begin: number;
  readonly step: number;
}

/** A window of an array, as far as it is cut along one axis alone; null if it is not. */
export function windowBlocks(whole: Shape, window: Shape, begin: readonly number[]): Blocks | null {
  const cut = whole.map((_, axis) => axis).filter((axis) => whole[axis] !== window[axis]);
  if (cut.length !== 1) return null;
  const [axis] = cut;
  const inner = sizeOf(whole.slice(axis + 1));
  return {
    count: sizeOf(whole.slice(0, axis)),
    width: window[axis] * inner,
    begin: begin[axis] * inner,
    step: whole[axis] * inner,
  };
}

/**
 * Functions gather4, gather8, add4, add8: (lanes, offsets, their number, from, bytes per lane, to, bytes per lane), and
 * blocks: (number, bytes of each, from, bytes from one to the next, to, bytes from one to the next there), clear: (address, bytes), and
 * rows: (addresses of rows, their number, bytes of each, to). Those of `running-sums.ts` are with them.
 */
export function movesModule(): ModuleBuilder {
  const module = new ModuleBuilder();
  for (const kind of ['gather', 'add'] as const) {
    for (const bytes of [4, 8] as const) {
      const real = bytes === 8 ? f64 : f32;
      const shift = i32.const(bytes === 8 ? 3 : 2);
      module.function(`${kind}${bytes}`, new Array(7).fill(I32), [], (b) => {
        const [lanes, offsets, count, fromAt, fromStep, toAt, toStep] = Array.from({ length: 7 }, (_, i) =>
          b.parameter(i),
        );
        const from = b.let(I32, fromAt);
        const to = b.let(I32, toAt);
        const lane = b.let(I32, i32.const(0));
        const end = b.let(I32, i32.add(offsets, i32.shl(count, i32.const(2))));
        b.while(i32.lt(lane.get, lanes), () => {
          const table = b.let(I32, offsets);
          /** The array that is read or written in order. */
          const walk = b.let(I32, kind === 'gather' ? to.get : from.get);
          b.while(i32.ltUnsigned(table.get, end.get), () => {
            const offset = b.let(I32, i32.load([table.get]));
            const inside = i32.ge(offset.get, i32.const(0));
            const other = (base: Expression): Expression => i32.add(base, i32.shl(offset.get, shift));
            if (kind === 'gather') {
              b.if(
                inside,
                () => b.do(real.store([walk.get, real.load([other(from.get)])])),
                () => b.do(real.store([walk.get, real.const(0)])),
              );
            } else {
              b.if(inside, () => {
                const place = b.let(I32, other(to.get));
                b.do(real.store([place.get, real.add(real.load([place.get]), real.load([walk.get]))]));
              });
            }
            walk.set(i32.add(walk.get, i32.const(bytes)));
            table.set(i32.add(table.get, i32.const(4)));
          });
          from.set(i32.add(from.get, fromStep));
          to.set(i32.add(to.get, toStep));
          lane.set(i32.add(lane.get, i32.const(1)));
        });
      });
    }
  }
  // Filling a view of shared memory, or copying within it, takes V8 many times as long.
  module.function('clear', [I32, I32], [], (b) => {
    b.do(fillMemory(b.parameter(0), i32.const(0), b.parameter(1)));
  });
  module.function('rows', new Array(4).fill(I32), [], (b) => {
    const [addresses, count, bytes, into] = Array.from({ length: 4 }, (_, i) => b.parameter(i));
    const at = b.let(I32, addresses);
    const end = b.let(I32, i32.add(addresses, i32.shl(count, i32.const(2))));
    const to = b.let(I32, into);
    b.while(i32.ltUnsigned(at.get, end.get), () => {
      b.do(copyMemory(to.get, i32.load([at.get]), bytes));
      to.set(i32.add(to.get, bytes));
      at.set(i32.add(at.get, i32.const(4)));
    });
  });
  module.function('blocks', new Array(6).fill(I32), [], (b) => {
    const [count, bytes, fromAt, fromStep, toAt, toStep] = Array.from({ length: 6 }, (_, i) => b.parameter(i));
    const [from, to, block] = [b.let(I32, fromAt), b.let(I32, toAt), b.let(I32, i32.const(0))];
    b.while(i32.lt(block.get, count), () => {
      const [at, place, left] = [b.let(I32, from.get), b.let(I32, to.get), b.let(I32, bytes)];
      const copy = (step: number, move: () => Expression): void =>
        b.while(i32.ge(left.get, i32.const(step)), () => {
          b.do(move());
          for (const address of [at, place]) address.set(i32.add(address.get, i32.const(step)));
          left.set(i32.sub(left.get, i32.const(step)));
        });
      copy(16, () => v128.store([place.get, v128.load([at.get])]));
      copy(4, () => i32.store([place.get, i32.load([at.get])]));
      from.set(i32.add(from.get, fromStep));
      to.set(i32.add(to.get, toStep));
      block.set(i32.add(block.get, i32.const(1)));
    });
  });
  addRunningSums(module);
  return module;
}
