import { formulaModule, webAssembly } from '../../tensor/wasm/host.ts';
import type { Template } from '../recordings/template.ts';
import { densityModule } from './module.ts';
import { failures, fallible } from './recorded.ts';
import { SCORES, STATUS, UNKNOWN } from './results.ts';
import { HEADER, PROPOSAL, VISIT } from './steps-code.ts';
import type { Tape, TapeNode } from './tape.ts';

const PAGE = 65536;
const BYTES = 8;
const NO_NUMBERS: readonly number[] = [];

/** How a value of the program is made of numbers among the leaves. */
export interface Part {
  readonly template: Template;
  /** Place of its first leaf. */
  readonly start: number;
  readonly count: number;
}

/** Many steps of a chain at once: see `steps-code.ts`. */
export interface Walk {
  readonly steps: (count: number, proposals: number, visits: number, state: number, candidate: number) => number;
  readonly proposals: Float64Array;
  readonly visits: Float64Array;
  readonly header: Int32Array;
  /** Numbers from one visit to the next. */
  readonly width: number;
}

/** Most steps of a walk, and most numbers that are kept of each. */
export const MOST_STEPS = 512;
const MOST_KEPT = 16;

/** An execution would say in its own words what is wrong, which is known only after the call. */
const mayFail = ({ op }: TapeNode): boolean => op.fn !== undefined && fallible.has(op.fn);

/** A recording that runs. */
export class CompiledTape {
  /** The values of the choices, truth values as 0 and 1. */
  readonly values: Float64Array;
  /** Two places for results, so that one can be kept while the other is written. */
  readonly results: readonly [Float64Array, Float64Array];
  /** Many steps of a chain at once; null if there are none. */
  readonly walk: Walk | null;
  private readonly run: (results: number) => void;
  private readonly firstLeaf: number;

  /** The leaves of `kept`, if it is given, are wanted of all states of a chain. */
  constructor(tape: Tape, leaves: readonly number[], kept: Part | null) {
    const { inputs } = tape;
    this.firstLeaf = SCORES + inputs;
    const walks = kept !== null && kept.count <= MOST_KEPT && !tape.nodes.some(mayFail);
    const keptLeaves = walks ? { first: this.firstLeaf + kept.start, count: kept.count } : null;
    const { bytes, functions } = densityModule(tape, leaves, keptLeaves);
    const length = this.firstLeaf + leaves.length;
    const end = inputs + 2 * length;
    const width = walks ? VISIT + kept.count : 0;
    const walked = walks ? MOST_STEPS * (PROPOSAL + width) + HEADER.bytes / BYTES : 0;
    const pages = Math.ceil((BYTES * (end + walked)) / PAGE);
    const memory = new webAssembly!.Memory({ initial: pages, maximum: pages });
    const env = { memory, ...Object.fromEntries(functions) };
    const { density, steps } = new webAssembly!.Instance(formulaModule(bytes), { env }).exports;
    this.run = density;
    const at = (place: number, count: number): Float64Array => new Float64Array(memory.buffer, BYTES * place, count);
    this.values = at(0, inputs);
    this.results = [at(inputs, length), at(inputs + length, length)];
    if (!walks) this.walk = null;
    else {
      const proposals = at(end, MOST_STEPS * PROPOSAL);
      const start = end + proposals.length;
      const header = new Int32Array(memory.buffer, BYTES * start, HEADER.bytes / 4);
      const visits = at(start + HEADER.bytes / BYTES, MOST_STEPS * width);
      this.walk = { steps, proposals, visits, header, width };
    }
  }

  /** Computes everything from the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. */
  evaluate(into: Float64Array): number {
    const before = failures.count;
    this.run(into.byteOffset);
    return failures.count === before ? into[STATUS] : UNKNOWN;
  }

  /** A value of the program, from what was computed. */
  make({ template, start, count }: Part, results: Float64Array): unknown {
    if (count === 0) return template(NO_NUMBERS);
    const first = this.firstLeaf + start;
    return template(results.subarray(first, first + count));
  }

  /** The number at a place among the leaves. */
  leaf(place: number, results: Float64Array): number {
    return results[this.firstLeaf + place];
  }
}
