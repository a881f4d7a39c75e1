/** The network in use: computes the outputs of its heads from what executions have chosen. */
import type { Plan, RunOutput } from '../tensor/plan/compile.ts';
import { type ChoiceInputs, inputsOf, ownOf, placesOf, roomFor, rowsByDatum } from './choice-inputs.ts';
import { type Form, planOf } from './network-plan.ts';
import { onOneThread } from './one-thread.ts';
import type { Parameters } from './parameters.ts';
import { addProduct } from './plain-products.ts';
import { QuantileTables } from './quantile-tables.ts';
import type { Reading } from './reading.ts';
import type { Key } from './sites.ts';
import { layerNames, type NetworkSizes, outputsOf, POINT, PRIOR_FEATURES } from './sizes.ts';

/** Fewer executions than this are computed by loops. More are computed by plans, each of which is for a certain number of them: see `roomFor`. */
const FEW = 12;

/** So many forms of data are remembered at a time. */
const MOST_FORMS = 64;

/** The output of a head for each execution, and the queries with which its lists search earlier choices. */
interface HeadOutputs {
  readonly outputs: ArrayLike<number>;
  readonly queries: ArrayLike<number>;
}

/**
 * The random numbers that a mixture is drawn from: a uniform one, a normal one, and 1 where the coordinate is the
 * normal number itself.
 */
export interface Noise {
  readonly uniforms: ArrayLike<number>;
  readonly normals: ArrayLike<number>;
  readonly given: ArrayLike<number>;
}

/** Coordinates that were drawn, and the log of the guide over the prior. */
export interface Drawn {
  readonly u: ArrayLike<number>;
  readonly ratios: ArrayLike<number>;
}

/** Names of parameters that all heads share, in the order in which plans take them. */
const sharedNames = (sizes: NetworkSizes): string[] => [
  'told',
  ...layerNames(sizes).flatMap((layer) => [layer, `${layer} bias`]),
];
/** The same for choices that read other choices of their iteration. */
const POINTING = ['peer', 'point query'] as const;
const ATTENTION = ['attention query', 'attended'] as const;

export class Network {
  /** Tables of quantiles, for priors that thousands of executions draw from. */
  readonly quantiles = new QuantileTables();
  private readonly plans = new Map<string, Plan>();
  private readonly shared: readonly string[];
  private room = new Float32Array(0);
  /** The parameters as plans take them. */
  private readonly singles = new Map<string, Float32Array>();
  /** The weights with which choices read data, by the form of the data: data of one form share them. */
  private readonly readWeights = new Map<string, Map<Key, Float64Array>>();

  constructor(
    readonly parameters: Parameters,
    readonly sizes: NetworkSizes,
  ) {
    this.shared = sharedNames(sizes);
  }

  /** To be called when parameters have changed. */
  refresh(): this {
    this.singles.clear();
    this.readWeights.clear();
    return this;
  }

  /** The weights for data of this form, by choice. */
  readWeightsOf(form: string): Map<Key, Float64Array> {
    let found = this.readWeights.get(form);
    if (found === undefined) {
      if (this.readWeights.size === MOST_FORMS) this.readWeights.clear();
      found = new Map();
      this.readWeights.set(form, found);
    }
    return found;
  }

  get attends(): boolean {
    return this.sizes.heads > 0 && this.sizes.attending > 0;
  }

  /** How many inputs of the first layer each execution gives; with or without earlier choices of its iteration. */
  featureWidth(isPointed: boolean): number {
    return 3 * this.sizes.token + PRIOR_FEATURES + (isPointed ? POINT : 0);
  }

  /** A buffer for so many numbers, which is overwritten when the next one is asked for. */
  scratch(length: number): Float32Array {
    if (this.room.length < length) this.room = new Float32Array(length);
    return this.room.subarray(0, length);
  }

  /** The output of a head for each execution. */
  headOutputs(head: string, inputs: ChoiceInputs): HeadOutputs {
    if (inputs.count < FEW) return this.outputsOfFew(head, inputs);
    const [outputs, queries] = this.run(head, 'outputs', inputs, []);
    return { outputs: outputs as ArrayLike<number>, queries: (queries ?? []) as ArrayLike<number> };
  }

  /** Draws real coordinates of many executions; null for few, whose coordinates are drawn from the outputs by loops. */
  draw(inputs: ChoiceInputs, noise: Noise): Drawn | null {
    if (inputs.count < FEW) return null;
    const room = roomFor(inputs.count);
    const given = [noise.uniforms, noise.normals, noise.given].map((numbers) => {
      const padded = new Float64Array(room);
      padded.set(numbers as Float64Array);
      return padded;
    });
    const [u, ratios] = this.run('real', 'draw', inputs, given);
    return { u: u as ArrayLike<number>, ratios: ratios as ArrayLike<number> };
  }

  private outputsOfFew(
    head: string,
    { readings, slots, key, count, features, isPointed, attends }: ChoiceInputs,
  ): HeadOutputs {
    const { parameters, sizes } = this;
    const { hidden } = sizes;
    const width = outputsOf(head, sizes);
    const outputs = new Float64Array(count * width);
    const queries = new Float64Array(isPointed ? count * POINT : 0);
    const [own, wide] = [this.featureWidth(false), this.featureWidth(isPointed)];
    for (let lane = 0; lane < count; lane++) {
      const reading = readings.at(slots[lane]);
      const h1 = Float64Array.from(reading.offsets(key));
      addProduct(features, lane * wide, parameters.get('told'), own, hidden, h1);
      if (isPointed) addProduct(features, lane * wide + own, parameters.get('peer'), POINT, hidden, h1);
      for (let i = 0; i < hidden; i++) h1[i] = Math.max(0, h1[i]);
      if (reading.findable !== null && attends[lane] === 1) this.attend(h1, reading, key);
      for (const layer of layerNames(sizes)) {
        const more = Float64Array.from(parameters.get(`${layer} bias`));
        addProduct(h1, 0, parameters.get(layer), hidden, hidden, more);
        for (let i = 0; i < hidden; i++) h1[i] += Math.max(0, more[i]);
      }
      addProduct(h1, 0, parameters.get(`head ${head}`), hidden, width, outputs.subarray(lane * width));
      if (isPointed) addProduct(h1, 0, parameters.get('point query'), hidden, POINT, queries.subarray(lane * POINT));
    }
    return { outputs, queries };
  }

  /** Adds what an execution finds in the data to its hidden layer. */
  private attend(h1: Float64Array, reading: Reading, key: Key): void {
    const { parameters, sizes } = this;
    const { heads, width, hidden } = sizes;
    const { places, keys, values } = reading.findable!;
    const placeScores = reading.placeScores(key);
    const wide = heads * width;
    const query = new Float64Array(wide);
    addProduct(h1, 0, parameters.get('attention query'), hidden, wide, query);
    const found = new Float64Array(wide);
    const scores = new Float64Array(places);
    for (let h = 0; h < heads; h++) {
      let top = 0;
      for (let p = 0; p < places; p++) {
        let score = placeScores[h * places + p];
        for (let i = h * width; i < (h + 1) * width; i++) score += query[i] * keys[p * wide + i];
        scores[p] = score;
        top = Math.max(top, score);
      }
      let total = Math.exp(-top);
      for (let p = 0; p < places; p++) {
        const share = Math.exp(scores[p] - top);
        total += share;
        for (let i = h * width; i < (h + 1) * width; i++) found[i] += share * values[p * wide + i];
      }
      for (let i = h * width; i < (h + 1) * width; i++) found[i] /= total;
    }
    addProduct(found, 0, parameters.get('attended'), wide, hidden, h1);
  }

  private single(name: string): Float32Array {
    let found = this.singles.get(name);
    if (found === undefined) {
      found = Float32Array.from(this.parameters.get(name));
      this.singles.set(name, found);
    }
    return found;
  }

  private run(
    head: string,
    kind: 'outputs' | 'draw',
    inputs: ChoiceInputs,
    more: readonly Float64Array[],
  ): RunOutput[] {
    const { readings, slots, key, count, features, isPointed, attends } = inputs;
    const room = roomFor(count);
    const padded = (numbers: Float32Array, width: number): Float32Array => {
      if (numbers.length === room * width) return numbers;
      const all = new Float32Array(room * width);
      all.set(numbers);
      return all;
    };
    const one = readings.common(slots);
    const parts = one === null && this.attends ? rowsByDatum(inputs) : [];
    if (parts.length > 0 && count >= WORTH_A_RUN * parts.length) return this.runApart(head, kind, inputs, more, parts);
    const given: (Float32Array | Float64Array | Int32Array)[] = [
      padded(features, this.featureWidth(isPointed)),
      one === null ? this.offsetsOfEach(inputs, room) : one.offsets(key),
      ...(isPointed ? [...this.shared, ...POINTING] : this.shared).map((name) => this.single(name)),
      this.single(`head ${head}`),
      ...more,
    ];
    const findable = (one ?? readings.readings).findable;
    const data = one === null && findable !== null ? readings.readings.findable!.data : 0;
    if (findable !== null) {
      given.push(padded(attends, 1), findable.keys, findable.values, (one ?? readings.readings).placeScores(key));
      given.push(...ATTENTION.map((name) => this.single(name)));
      if (one === null) given.push(placesOf(inputs, room));
    }
    const form: Form = { head, kind, room, places: findable?.places ?? 0, isOne: one !== null, isPointed, data };
    return onOneThread(() => this.planFor(form).run(given));
  }

  /** Datum by datum, where data are searched: what is found in a datum is one product for all executions that have it. */
  private runApart(
    head: string,
    kind: 'outputs' | 'draw',
    inputs: ChoiceInputs,
    more: readonly Float64Array[],
    parts: readonly Int32Array[],
  ): RunOutput[] {
    const all: Float64Array[] = [];
    for (const rows of parts) {
      const own = this.run(head, kind, inputsOf(inputs, rows, this.featureWidth(inputs.isPointed)), ownOf(more, rows));
      own.forEach((output, k) => {
        const numbers = output as ArrayLike<number>;
        const width = numbers.length / roomFor(rows.length);
        all[k] ??= new Float64Array(inputs.count * width);
        for (let i = 0; i < rows.length; i++) {
          for (let j = 0; j < width; j++) all[k][rows[i] * width + j] = numbers[i * width + j];
        }
      });
    }
    return all;
  }

  /** What is added to the first layer, a row for each execution. */
  private offsetsOfEach({ readings, slots, key, count }: ChoiceInputs, room: number): Float32Array {
    const { hidden } = this.sizes;
    const rows = new Float32Array(room * hidden);
    for (let i = 0; i < count; i++) rows.set(readings.at(slots[i]).offsets(key), i * hidden);
    return rows;
  }

  private planFor(form: Form): Plan {
    const text = Object.values(form).join(' ');
    let plan = this.plans.get(text);
    if (plan === undefined) {
      plan = planOf(form, this.sizes, this.featureWidth(false));
      this.plans.set(text, plan);
    }
    return plan;
  }
}

/** From this number of executions with one datum on, a separate product for them is faster. */
const WORTH_A_RUN = 48;
