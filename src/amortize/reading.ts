/**
 * How the network reads data when it is in use: the part of the inputs of a choice that does not depend on earlier
 * choices.
 */
import { at, type DataShape, tokensOf } from './data-shape.ts';
import { embeddingOf } from './embedding.ts';
import { NOWHERE } from './feed-attention.ts';
import { listMoments } from './list-standing.ts';
import type { Network } from './network.ts';
import { RELATIONS, relation } from './pack.ts';
import { addProduct } from './plain-products.ts';
import type { Key } from './sites.ts';
import { EMBEDDING } from './sizes.ts';

interface DataToken {
  readonly positions: readonly [number, number];
  /** What queries of choices are compared with, for each read. */
  readonly key: Float64Array;
  /** The hidden layer, and the value that choices read of it, for each read. */
  readonly encoded: Float64Array;
  readonly value: Float64Array;
}

/** Data of one place, among which choices look for some. */
interface Place {
  readonly positions: readonly [number, number];
  readonly encoded: Float64Array;
  count: number;
}

/** Where choices search: a key and a value for each place, padded with places that no choice finds. */
export interface Findable {
  readonly places: number;
  readonly keys: Float32Array;
  readonly values: Float32Array;
}

export class Reading {
  /** Parts of the data that the training never met. */
  readonly unknown: number;
  readonly findable: Findable | null;
  private readonly tokens: DataToken[] = [];
  private readonly places = new Map<string, Place>();
  /** The inputs of the first layer that come from place and data, by key. */
  private readonly known = new Map<Key, Float32Array>();
  private readonly knownPlaceScores = new Map<Key, Float32Array>();
  /** With which weights choices read these data. */
  private readonly readWeights: Map<Key, Float64Array>;

  constructor(
    readonly network: Network,
    shape: DataShape,
    data: unknown,
  ) {
    const forms: string[] = [];
    const all = tokensOf(data, shape.points);
    const known = all.filter((token) => shape.signature(token) !== undefined);
    this.unknown = all.length - known.length;
    const values = known.map((token) =>
      token.leaves.map(({ place }, k) => shape.embedded(shape.signature(token)!, k, [at(data, place)])),
    );
    const lists = listMoments(known, values, 1);
    known.forEach((places, t) => {
      const signature = shape.signature(places)!;
      const numbers = new Float64Array(signature.width);
      shape.write(signature, { leaves: values[t], lists: lists[t] }, 1, numbers, 0);
      const token = this.token(signature.number, numbers, places.positions);
      this.tokens.push(token);
      const form = `${signature.number} ${places.positions.join(' ')}`;
      forms.push(form);
      this.place(form, token);
    });
    this.readWeights = network.readWeightsOf(forms.join());
    this.findable = network.attends && this.places.size > 0 ? this.toBeFound() : null;
  }

  get count(): number {
    return this.tokens.length + this.unknown;
  }

  private token(signature: number, numbers: Float64Array, positions: readonly [number, number]): DataToken {
    const { parameters, sizes } = this.network;
    const { read, reads } = sizes;
    const wide = 2 * read * reads;
    const place = embeddingOf(parameters, 'signature', signature, 'data position', positions);
    const encoded = new Float64Array(wide);
    addProduct(numbers, 0, parameters.get(`signature ${signature}`), numbers.length, wide, encoded);
    addProduct(place, 0, parameters.get('data key'), EMBEDDING, wide, encoded);
    for (let i = 0; i < wide; i++) encoded[i] = Math.max(0, encoded[i]);
    const tokenValue = new Float64Array(read * reads);
    addProduct(encoded, 0, parameters.get('spoken'), wide, read * reads, tokenValue);
    const tokenKey = new Float64Array((reads * EMBEDDING) / 2);
    addProduct(place, 0, parameters.get('offer'), EMBEDDING, tokenKey.length, tokenKey);
    return { positions, key: tokenKey, encoded, value: tokenValue };
  }

  /** Tokens of one place count as one, as in training. */
  private place(name: string, { positions, encoded }: DataToken): void {
    const known = this.places.get(name);
    if (known === undefined) {
      this.places.set(name, { positions, encoded: encoded.slice(), count: 1 });
      return;
    }
    known.count++;
    for (let i = 0; i < encoded.length; i++) known.encoded[i] += encoded[i];
  }

  private toBeFound(): Findable {
    const { parameters, sizes } = this.network;
    const width = sizes.heads * sizes.width;
    const places = Math.ceil(this.places.size / 8) * 8;
    const table = (name: string): Float32Array => {
      const rows = new Float32Array(places * width);
      let p = 0;
      for (const { encoded, count } of this.places.values()) {
        const row = new Float64Array(width);
        addProduct(encoded, 0, parameters.get(name), encoded.length, width, row);
        rows.set(
          row.map((x) => x / count),
          p++ * width,
        );
      }
      return rows;
    };
    return { places, keys: table('attention key'), values: table('attention value') };
  }

  /** What is added to the scores of all places for a choice at this key, a row for each head. */
  placeScores(key: Key): Float32Array {
    let placeScores = this.knownPlaceScores.get(key);
    if (placeScores === undefined) {
      const { heads } = this.network.sizes;
      const { places } = this.findable!;
      const weights = this.network.parameters.get('attention likeness');
      placeScores = new Float32Array(heads * places).fill(NOWHERE);
      const relations = new Float64Array(RELATIONS);
      let p = 0;
      for (const { positions, count } of this.places.values()) {
        relations.fill(0);
        relation(key.positions, positions, relations, 0);
        for (let h = 0; h < heads; h++) {
          let score = Math.log(count);
          for (let i = 0; i < RELATIONS; i++) score += relations[i] * weights[i * heads + h];
          placeScores[h * places + p] = score;
        }
        p++;
      }
      this.knownPlaceScores.set(key, placeScores);
    }
    return placeScores;
  }

  /** What is added to the first layer at this key, whatever was chosen before. */
  offsets(key: Key): Float32Array {
    let offsets = this.known.get(key);
    if (offsets === undefined) {
      offsets = Float32Array.from(this.offsetsOf(key));
      this.known.set(key, offsets);
    }
    return offsets;
  }

  private offsetsOf(key: Key): Float64Array {
    const { site, positions } = key;
    const { parameters, sizes } = this.network;
    const { hidden, read, reads } = sizes;
    const place = embeddingOf(parameters, 'site', site.number, 'position', positions);
    const out = Float64Array.from(parameters.get('first bias'));
    addProduct(place, 0, parameters.get('key'), EMBEDDING, hidden, out);
    if (this.tokens.length === 0) return out;
    let weights = this.readWeights.get(key);
    if (weights === undefined) {
      weights = this.readWeightsAt(place, positions);
      this.readWeights.set(key, weights);
    }
    const mean = new Float64Array(read * reads);
    this.tokens.forEach(({ value }, t) => {
      for (let h = 0; h < reads; h++) {
        const weight = weights![t * reads + h];
        for (let i = h * read; i < (h + 1) * read; i++) mean[i] += weight * value[i];
      }
    });
    addProduct(mean, 0, parameters.get('reading'), read * reads, hidden, out);
    return out;
  }

  /** Weights with which a choice reads the data, for each of them one for each read. They add up to 1. */
  private readWeightsAt(place: Float64Array, positions: readonly number[]): Float64Array {
    const { parameters, sizes } = this.network;
    const { reads } = sizes;
    const half = EMBEDDING / 2;
    const relationScores = parameters.get('likeness');
    const query = new Float64Array(reads * half);
    addProduct(place, 0, parameters.get('query'), EMBEDDING, query.length, query);
    const scores = new Float64Array(this.tokens.length * reads);
    const relations = new Float64Array(RELATIONS);
    this.tokens.forEach((token, t) => {
      relations.fill(0);
      relation(positions, token.positions, relations, 0);
      for (let h = 0; h < reads; h++) {
        let score = 0;
        for (let i = h * half; i < (h + 1) * half; i++) score += query[i] * token.key[i];
        for (let i = 0; i < RELATIONS; i++) score += relations[i] * relationScores[i * reads + h];
        scores[t * reads + h] = score;
      }
    });
    for (let h = 0; h < reads; h++) toShares(scores, h, reads);
    return scores;
  }
}

/** Turns every `step`-th score from the first on into its share of all of them. */
function toShares(scores: Float64Array, first: number, step: number): void {
  let largest = -Infinity;
  for (let i = first; i < scores.length; i += step) largest = Math.max(largest, scores[i]);
  let total = 0;
  for (let i = first; i < scores.length; i += step) {
    scores[i] = Math.exp(scores[i] - largest);
    total += scores[i];
  }
  for (let i = first; i < scores.length; i += step) scores[i] /= total;
}
