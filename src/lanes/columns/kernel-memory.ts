/**
 * The memory that kernels work in. Columns stay there from one kernel to the next. Nothing tells when a column is no
 * longer needed, so that room is taken in rounds: a block that is in the way is copied out, and copied back if it is
 * used again. The room of a column that is known to be no longer needed is used first.
 */

import { OneByOne } from '../../runtime/signals.ts';
import { type Memory, webAssembly } from '../../tensor/wasm/host.ts';
import { normalTable } from '../../tensor/ziggurat.ts';
import { Loops } from './kernel-calls.ts';
import { START, TABLE_AT } from './kernel-places.ts';

const PAGE = 65536;
const FIRST_PAGES = 64;

/**
 * The least size of a round, in bytes and in multiples of what one kernel may need. Loops make thousands of columns
 * that soon are no longer needed, and copying them out costs more than computing them.
 */
const ROUND = 2 ** 27;
const ROUND_KERNELS = 8;

/** A piece of memory; its owner is the object whose content is there. */
interface Block {
  /** In bytes; negative once it has left the memory. */
  at: number;
  bytes: number;
  owner: Stored | null;
}

/** Numbers or words that kernels work on. */
abstract class Stored {
  private block: Block | null = null;

  constructor(public length: number) {}

  protected abstract readonly bytes: number;
  /** Copies it out of memory, if it has not been. */
  protected abstract save(at: number): void;
  /** Copies it into memory; false if it was never copied out. */
  protected abstract load(at: number): boolean;
  /** Forgets the copy, because the numbers in memory change. */
  protected abstract outdate(): void;

  /** Where it is in memory. `room` must have been made for it. */
  get at(): number {
    if (this.block !== null) return this.block.at;
    this.block = kernelMemory().take(this.bytes, this);
    if (!this.load(this.block.at)) throw new OneByOne('state', 'a value is used after the executions it belongs to');
    return this.block.at;
  }

  /** A place in memory for what is about to be written there. */
  get room(): number {
    this.block ??= kernelMemory().take(this.bytes, this);
    this.outdate();
    return this.block.at;
  }

  /** Where it is in memory, to be changed there. */
  get changing(): number {
    const { at } = this;
    this.outdate();
    return at;
  }

  /** Gives back room at the end that turned out not to be needed. */
  shorten(length: number): void {
    this.length = length;
    if (this.block !== null) kernelMemory().shorten(this.block, this.bytes);
  }

  /** Releases its room. */
  release(): void {
    if (this.block !== null) kernelMemory().giveBack(this.block);
    this.block = null;
  }

  protected get place(): number | null {
    return this.block === null ? null : this.block.at;
  }

  /** Leaves the memory to others. */
  leave(isLost: boolean): void {
    if (!isLost) this.save(this.block!.at);
    this.block = null;
  }
}

/** Numbers each of which is one of two: the first where a condition holds, else the second. */
interface OneOfTwo {
  readonly condition: Doubles;
  readonly values: readonly [number, number];
}

/** Numbers. */
export class Doubles extends Stored {
  private copy: Float64Array | null = null;
  /** Their common value, if they are all the same and have not been written to memory yet. */
  private every: number | null = null;
  private choice: OneOfTwo | null = null;
  /** How often they were overwritten; and how often the condition had been when it chose them. */
  private changes = 0;
  private chosenAt = 0;

  /** Set if each number is one of two: a function of all of them can then be computed from the two. */
  get oneOfTwo(): OneOfTwo | null {
    const { choice } = this;
    if (choice === null) return null;
    const { condition } = choice;
    return condition.isThere && condition.changes === this.chosenAt ? choice : null;
  }

  /** Notes that each number is one of two. */
  areOneOfTwo(choice: OneOfTwo): this {
    this.choice = choice;
    this.chosenAt = choice.condition.changes;
    return this;
  }

  /** Notes that the numbers were overwritten. */
  areOthers(): void {
    this.choice = null;
    this.changes++;
  }

  private get isThere(): boolean {
    return this.copy !== null || this.every !== null || this.place !== null;
  }

  /** Numbers that do not change. */
  static of(numbers: Float64Array): Doubles {
    const made = new Doubles(numbers.length);
    made.copy = numbers;
    return made;
  }

  /** A column of zeros. */
  static zeros(length: number): Doubles {
    return Doubles.filled(length, 0);
  }

  /** A column of this number. */
  static filled(length: number, value: number): Doubles {
    const made = new Doubles(length);
    made.every = value;
    return made;
  }

  /** The numbers. Not to be changed. */
  get array(): Float64Array {
    if (this.copy === null) {
      if (this.every !== null) this.copy = new Float64Array(this.length).fill(this.every);
      else this.save(this.at);
    }
    return this.copy!;
  }

  /** Whether they are known to be zero. */
  get areZero(): boolean {
    return this.every === 0;
  }

  /** The numbers as a view of memory: to be read before anything else is computed. */
  get seen(): Float64Array {
    const { place } = this;
    if (this.copy !== null || place === null) return this.array;
    return kernelMemory().doubles.subarray(place / 8, place / 8 + this.length);
  }

  protected get bytes(): number {
    return 8 * this.length;
  }

  protected save(at: number): void {
    this.copy ??= kernelMemory().doubles.slice(at / 8, at / 8 + this.length);
  }

  protected load(at: number): boolean {
    const { doubles } = kernelMemory();
    if (this.copy !== null) doubles.set(this.copy, at / 8);
    else if (this.every !== null) doubles.fill(this.every, at / 8, at / 8 + this.length);
    else return false;
    return true;
  }

  protected outdate(): void {
    this.copy = null;
    this.every = null;
  }

  /** Copies the numbers to an array. */
  copyTo(target: Float64Array, from = 0): void {
    if (this.place === null && this.every !== null) target.fill(this.every, from, from + this.length);
    else target.set(this.seen, from);
  }

  /** Takes other numbers in place of these. */
  become(numbers: Float64Array): void {
    this.release();
    this.outdate();
    this.copy = numbers;
  }

  /** Makes all numbers this one. */
  fill(value: number): void {
    const { place } = this;
    this.outdate();
    if (place === null) this.every = value;
    else kernelMemory().doubles.fill(value, place / 8, place / 8 + this.length);
  }
}

/** Words: whole numbers of 32 bits. */
export class Words extends Stored {
  private copy: Int32Array | null = null;

  /** Words that do not change. */
  static of(words: Int32Array): Words {
    const made = new Words(words.length);
    made.copy = words;
    return made;
  }

  /** The words. Not to be changed. */
  get array(): Int32Array {
    if (this.copy === null) this.save(this.at);
    return this.copy!;
  }

  protected get bytes(): number {
    return 4 * this.length;
  }

  protected save(at: number): void {
    this.copy ??= kernelMemory().words.slice(at / 4, at / 4 + this.length);
  }

  protected load(at: number): boolean {
    if (this.copy === null) return false;
    kernelMemory().words.set(this.copy, at / 4);
    return true;
  }

  protected outdate(): void {
    this.copy = null;
  }
}

/** In whole vectors: kernels that take four executions at once may go beyond the last. */
const inVectors = (bytes: number): number => (bytes + 31) & ~31;

class KernelMemory {
  readonly loops: Loops;
  readonly kernels: Loops['all'];
  doubles: Float64Array;
  words: Int32Array;
  private readonly memory: Memory;
  /** Blocks in the order in which their room will be taken. */
  private blocks: Block[] = [];
  private oldest = 0;
  private next = START;
  /** Blocks that have been given back, by their size. */
  private spare = new Map<number, Block[]>();

  /** These loops are optimised beside the program, where that can be. */
  constructor(ahead: readonly string[]) {
    this.memory = new webAssembly!.Memory({ initial: FIRST_PAGES, maximum: 65536 });
    this.loops = new Loops(this.memory, ahead);
    this.kernels = this.loops.all;
    this.doubles = new Float64Array(this.memory.buffer);
    this.words = new Int32Array(this.memory.buffer);
    this.doubles.set(normalTable(), TABLE_AT / 8);
  }

  /** Makes sure that so many blocks of so many bytes can be taken without any other block having to go. */
  makeRoom(count: number, each: number): void {
    const bytes = count * inVectors(each);
    const { byteLength } = this.doubles;
    if (this.next + bytes > byteLength) {
      if (byteLength < Math.max(ROUND, ROUND_KERNELS * bytes)) this.grow(bytes);
      else {
        this.clear(this.next, byteLength);
        this.next = START;
      }
    }
    if (this.oldest < this.blocks.length) this.clear(this.next, this.next + bytes);
  }

  private grow(bytes: number): void {
    const pages = this.memory.buffer.byteLength / PAGE;
    this.memory.grow(Math.max(pages, Math.ceil(bytes / PAGE)));
    this.doubles = new Float64Array(this.memory.buffer);
    this.words = new Int32Array(this.memory.buffer);
  }

  /** Blocks from before `next` came round again are copied out first: they are the oldest. */
  private clear(from: number, to: number): void {
    const { blocks } = this;
    for (; this.oldest < blocks.length; this.oldest++) {
      const block = blocks[this.oldest];
      if (block.at < from || block.at >= to) break;
      block.owner?.leave(false);
      block.at = -1;
    }
    if (this.oldest > 256) {
      this.blocks = blocks.slice(this.oldest);
      this.oldest = 0;
    }
  }

  take(bytes: number, owner: Stored): Block {
    const size = inVectors(bytes);
    const given = this.spare.get(size);
    let block = given?.pop();
    while (block !== undefined && block.at < 0) block = given!.pop();
    if (block !== undefined) {
      block.owner = owner;
      return block;
    }
    block = { at: this.next, bytes: size, owner };
    this.next += size;
    this.blocks.push(block);
    return block;
  }

  /** Makes the block smaller, if it is the last one that was taken. */
  shorten(block: Block, bytes: number): void {
    if (this.next !== block.at + block.bytes) return;
    block.bytes = inVectors(bytes);
    this.next = block.at + block.bytes;
  }

  giveBack(block: Block): void {
    block.owner = null;
    const given = this.spare.get(block.bytes);
    if (given === undefined) this.spare.set(block.bytes, [block]);
    else given.push(block);
  }

  /** Ends the use of the memory. Its contents are copied out, unless they are to be discarded. */
  empty(isLost: boolean): void {
    for (let i = this.oldest; i < this.blocks.length; i++) this.blocks[i].owner?.leave(isLost);
    this.blocks = [];
    this.oldest = 0;
    this.next = START;
    this.spare.clear();
  }
}

let made: KernelMemory | null = null;

/** Made when it is first needed. */
export function kernelMemory(): KernelMemory {
  made ??= new KernelMemory([]);
  return made;
}

/** Makes it before it is needed, so that V8 has optimised these loops by then. */
export function prepareKernels(ahead: readonly string[]): void {
  if (made !== null || webAssembly === undefined) return;
  try {
    made = new KernelMemory(ahead);
  } catch (thrown) {
    // There is no more memory, which those who need it are told.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
}

/** How many calls of `inKernelMemory` are running, one inside the other. */
let depth = 0;

/** Runs `work`; what it left in memory is lost then. */
export function inKernelMemory<R>(work: () => R): R {
  if (depth > 0) made?.empty(false);
  depth++;
  try {
    return work();
  } finally {
    depth--;
    made?.empty(true);
  }
}
