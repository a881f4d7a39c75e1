/**
 * How ranks exchange numbers: by MPI between processes (`mpi-library.ts`), or through memory that threads share (`thread-wire.ts`). Every rank makes the
 * same calls in the same order, and each call waits for the others, but for `startLargest`.
 */
export interface Wire {
  /** Joins the others that were started with this one. */
  init(): { readonly rank: number; readonly size: number };
  /** Nothing may be called after this. */
  finalize(): void;
  /** Ends all ranks at once. */
  abort(code: number): void;
  /** Replaces each number by the sum over all ranks, or by the largest of them. */
  allReduce(numbers: Float64Array | Float32Array, how: 'sum' | 'largest'): void;
  /** Begins to find the largest of each number; `isDone` or `wait` ends it. Until then the numbers belong to the wire. */
  startLargest(numbers: Float64Array): void;
  wait(): void;
  isDone(): boolean;
  broadcast(bytes: Uint8Array, from: number): void;
  /** The same number of numbers of each rank, one rank after the other. */
  gatherNumbers(own: Float64Array, all: Float64Array): void;
  /** The bytes of each rank, `counts` of them, to where `places` says. */
  gatherBytes(own: Uint8Array, all: Uint8Array, counts: Int32Array, places: Int32Array): void;
}
