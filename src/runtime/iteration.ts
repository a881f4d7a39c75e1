import { type Address, nowhere } from './address.ts';
import { machine } from './machine.ts';
import type { RandomStream } from './random.ts';

/** What a handler knows of the iterations of a construct from earlier executions. */
export interface PastIterations {
  /** Writes what the first iterations give, which then need not be run; returns how many these are. */
  begin(results: unknown[]): number;
  /** The i-th iteration has been run. */
  note(i: number, result: unknown): void;
}

/**
 * The iterations of one call of a mapping construct (`map`, `mapData`, `repeat`, …). Each has its own address and
 * its own random stream, so that what one of them draws never depends on how much another drew, nor on whether
 * they ran one after the other. Made when the construct is called:
 *
 *     const iterations = new Iterations();
 *     try {
 *       for (let i = 0; i < n; i++) {
 *         iterations.enter(i);
 *         …
 *       }
 *     } finally {
 *       iterations.leave();
 *     }
 */
export class Iterations {
  private readonly address: Address;
  private readonly parent: RandomStream;
  /** Null where nothing is drawn, and iterations need nothing of their own. */
  private stream: RandomStream | null;
  /** For constructs that keep what all iterations give: they may ask for what is known, and then must tell the rest. */
  readonly past: PastIterations | null;

  constructor() {
    const { address, stream, handler } = machine;
    this.past = handler.recall === undefined || address === nowhere ? null : handler.recall(address);
    this.address = address;
    this.parent = stream;
    this.stream = address === nowhere ? null : stream.child(stream.occurrence(), 0);
  }

  /** Begins the i-th iteration. */
  enter(i: number): void {
    const { stream } = this;
    if (stream === null) return;
    machine.address = this.address.index(i);
    // Mostly the same object as before, if nothing was drawn: no need to write it again.
    const own = stream.sibling(i);
    if (own !== stream) this.stream = own;
    if (own !== machine.stream) machine.stream = own;
  }

  /** Goes back to the stream and the address of the caller. Compiled code needs only the stream; host code both. */
  leave(): void {
    machine.address = this.address;
    machine.stream = this.parent;
  }
}
