import { formulaModule, webAssembly } from '../../tensor/wasm/host.ts';
import { densityModule, SCORES, UNKNOWN } from './module.ts';
import { failures, type Template } from './recorded.ts';
import type { Tape } from './tape.ts';

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

/** A recording that runs. */
export class CompiledTape {
  /** The values of the choices, truth values as 0 and 1. */
  readonly values: Float64Array;
  /** Two places for results, so that one can be kept while the other is written. */
  readonly results: readonly [Float64Array, Float64Array];
  private readonly run: (results: number) => number;
  private readonly firstLeaf: number;

  constructor(tape: Tape, leaves: readonly number[]) {
    const { bytes, functions } = densityModule(tape, leaves);
    const { inputs } = tape;
    this.firstLeaf = SCORES + inputs;
    const length = this.firstLeaf + leaves.length;
    const pages = Math.ceil((BYTES * (inputs + 2 * length)) / PAGE);
    const memory = new webAssembly!.Memory({ initial: pages, maximum: pages });
    const env = { memory, ...Object.fromEntries(functions) };
    this.run = new webAssembly!.Instance(formulaModule(bytes), { env }).exports.density;
    const at = (place: number, count: number): Float64Array => new Float64Array(memory.buffer, BYTES * place, count);
    this.values = at(0, inputs);
    this.results = [at(inputs, length), at(inputs + length, length)];
  }

  /** Computes everything from the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. */
  evaluate(into: Float64Array): number {
    const before = failures.count;
    const found = this.run(into.byteOffset);
    return failures.count === before ? found : UNKNOWN;
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
