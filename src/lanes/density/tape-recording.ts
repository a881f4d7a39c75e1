import { formulaModule, webAssembly } from '../../tensor/wasm/host.ts';
import { Recording } from '../recordings/recording.ts';
import type { Template } from '../recordings/template.ts';
import { densityModule } from './module.ts';
import { fallible } from './recorded.ts';
import { failures } from './remembering.ts';
import { CHOICE_SCORE, COURSE, FACTOR_SCORE, SAME_WAY, SCORES, UNKNOWN } from './results.ts';
import { HEADER, PROPOSAL, VISIT } from './steps-code.ts';
import type { Tape, TapeNode } from './tape.ts';

const PAGE = 65536;
const BYTES = 8;
const NO_NUMBERS: readonly number[] = [];

/** An execution, by its choices in order: the first so many belong to it. */
interface Execution {
  readonly choices: readonly { readonly value: unknown }[];
  readonly length: number;
}

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

/** What a recorder has put on a tape: numbers that are wanted, of which some make what the model returned. */
export interface Taped {
  readonly tape: Tape;
  readonly leaves: readonly number[];
  readonly returned: Part;
}

/** Whether a call fails is known only after it is made; the execution then throws the error in its own words. */
const mayFail = ({ op }: TapeNode): boolean => op.fn !== undefined && fallible.has(op.fn);

/** A tape as WebAssembly, with its memory. */
function compiled({ tape, leaves, returned }: Taped, isWalked: boolean) {
  const { inputs } = tape;
  const walks = isWalked && returned.count <= MOST_KEPT && !tape.nodes.some(mayFail);
  const kept = walks ? { first: SCORES + inputs + returned.start, count: returned.count } : null;
  const { bytes, functions, outputs } = densityModule(tape, leaves, kept);
  const length = outputs + 1;
  const end = inputs + 2 * length;
  const width = walks ? VISIT + returned.count : 0;
  const walked = walks ? MOST_STEPS * (PROPOSAL + width) + HEADER.bytes / BYTES : 0;
  const pages = Math.ceil((BYTES * (end + walked)) / PAGE);
  const memory = new webAssembly!.Memory({ initial: pages, maximum: pages });
  const env = { memory, ...Object.fromEntries(functions) };
  const { density, steps } = new webAssembly!.Instance(formulaModule(bytes), { env }).exports;
  const at = (place: number, count: number): Float64Array => new Float64Array(memory.buffer, BYTES * place, count);
  const walk = (): Walk => {
    const proposals = at(end, MOST_STEPS * PROPOSAL);
    const start = end + proposals.length;
    const header = new Int32Array(memory.buffer, BYTES * start, HEADER.bytes / 4);
    return { steps, proposals, visits: at(start + HEADER.bytes / BYTES, MOST_STEPS * width), header, width };
  };
  return {
    density: density as (results: number) => void,
    outputs,
    values: at(0, inputs),
    buffers: [at(inputs, length), at(inputs + length, length)] as const,
    walk: walks ? walk() : null,
  };
}

/** Whether all calls of functions worked, and all checks hold that come before the execution is impossible: 0 if they do. */
const EXPECTED: readonly number[] = [0];

/** What was recorded on a tape. All its guards are one number, because it is computed without branches. */
export class TapeRecording extends Recording<Float64Array, Float64Array> {
  /** The values of the choices, truth values as 0 and 1. */
  readonly values: Float64Array;
  /** Two places for results, so that one can be kept while the other is written. */
  readonly buffers: readonly [Float64Array, Float64Array];
  /** Many steps of a chain at once; null if there are none. */
  readonly walk: Walk | null;
  /** Makes what the model returned. */
  protected readonly returned: Part;
  private readonly firstLeaf: number;
  private readonly density: (results: number) => void;
  /** The numbers that the returned value is made of, in either place. */
  private readonly shown: readonly Float64Array[];

  /** `isWalked` if what the model returns is wanted of all states of a chain. */
  constructor(taped: Taped, isWalked: boolean) {
    const { density, outputs, values, buffers, walk } = compiled(taped, isWalked);
    super({ run: (into) => this.computed(into) }, outputs, EXPECTED);
    this.density = density;
    this.values = values;
    this.buffers = buffers;
    this.walk = walk;
    this.returned = taped.returned;
    this.firstLeaf = outputs - taped.leaves.length;
    const { start, count } = this.returned;
    const first = this.firstLeaf + start;
    this.shown = buffers.map((results) => results.subarray(first, first + count));
  }

  private computed(into: Float64Array): Float64Array {
    const before = failures.count;
    this.density(into.byteOffset);
    if (failures.count !== before) into[this.outputs] = Number.NaN;
    return into;
  }

  /** Computes everything from the values: `SAME_WAY`, `IMPOSSIBLE` or `UNKNOWN`. */
  course(into: Float64Array): number {
    // What `run` says, without its loop: short enumerations evaluate thousands of paths before V8 has optimised anything.
    return this.computed(into)[this.outputs] === 0 ? into[COURSE] : UNKNOWN;
  }

  /** The number that stands for a value of a choice. */
  numberOf(_place: number, value: unknown): number {
    return Number(value);
  }

  /** Whether its results equal those of the recorded execution to the last bit. Only then is it used. */
  agrees({ choices, length }: Execution, into: Float64Array, factorScore: number, choiceScore: number | null): boolean {
    for (let i = 0; i < length; i++) this.values[i] = this.numberOf(i, choices[i].value);
    return (
      this.course(into) === SAME_WAY &&
      Object.is(into[FACTOR_SCORE], factorScore) &&
      (choiceScore === null || Object.is(into[CHOICE_SCORE], choiceScore))
    );
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

  /** What the model returns. */
  valueIn(results: Float64Array): unknown {
    const { template } = this.returned;
    return template(this.shown[results === this.buffers[0] ? 0 : 1]);
  }
}
