/** What answers requests: a model with guides, or a network, and what is known of its data. */

import { badWeights } from '../../inference/diagnostics/advice.ts';
import { type JsonValue, toJsonValue } from '../../io/json-value.ts';
import { dataOf } from '../../library/posteriors.ts';
import { summary } from '../../library/summary.ts';
import { weightedValues } from '../../library/weighted.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { withSeed } from '../../runtime/with-run.ts';
import type { InferAnswer, InferRequest, Ready } from './protocol.ts';
import { datumLike, schemaOf, WrongForm } from './schema.ts';

/** A method for posteriors by guides. */
type ServedMethod = 'importance' | 'forward' | 'SMC';

interface ServiceSettings {
  /** The number of samples where a request gives none. */
  readonly samples: number;
  readonly method: ServedMethod;
  /** A network to load for the model. */
  readonly net: string | undefined;
  readonly seed: number;
}

interface Net {
  posteriors(data: readonly unknown[], options: object): Distribution<unknown>[];
  dreams(count: number): readonly { readonly data: unknown }[];
}

type Model = (datum?: unknown) => unknown;

/** What the program around the served one offers: its value, and functions that infer. */
export interface ServedProgram {
  readonly program: unknown;
  load(file: string, model: Model, embed: unknown): Net;
  byDatum(model: Model, options: object): Distribution<unknown>[];
  one(model: Model, datum: unknown, options: object): Distribution<unknown>;
}

/** Gives the posterior of each of several data. */
type Infer = (data: readonly unknown[], samples: number) => Distribution<unknown>[];

export class Service {
  private readonly example: unknown;
  private readonly infer: Infer;
  private readonly about: string;
  private asked = 0;

  constructor(
    served: ServedProgram,
    private readonly settings: ServiceSettings,
  ) {
    const { method, net: file } = settings;
    const { model, example, embed, net } = partsOf(served.program);
    const loaded = file === undefined ? net : served.load(file, modelFor(model, file), embed);
    if (loaded !== undefined) {
      this.infer = (data, samples) => loaded.posteriors(data, { samples, method });
      this.example = example ?? loaded.dreams(1)[0]?.data;
      this.about = `posteriors by a trained network, method ${method}`;
    } else if (model === undefined) {
      throw nothingToServe(served.program);
    } else if (model.length === 0) {
      this.infer = (data, samples) => served.byDatum(model, { data, samples, method });
      this.example = example ?? dataOf(model)[0];
      this.about = `posteriors of single data of mapData, method ${method}`;
    } else {
      this.infer = (data, samples) => data.map((datum) => served.one(model, datum, { samples, method }));
      this.example = example;
      this.about = `posteriors of the model given data, method ${method}`;
    }
  }

  get ready(): Ready['ready'] {
    const { example, about } = this;
    return { schema: schemaOf(example), example: example === undefined ? null : toJsonValue(plain(example)), about };
  }

  /** Requests with the same options are computed together. One that fails does not keep the others from their answers. */
  answers(requests: readonly InferRequest[]): InferAnswer[] {
    const answers = new Array<InferAnswer>(requests.length);
    const groups = new Map<string, number[]>();
    requests.forEach(({ samples, seed }, i) => {
      const key = seed === undefined ? `${samples}` : `${samples} ${seed} ${i}`;
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    for (const places of groups.values()) {
      const found = this.together(places.map((i) => requests[i]));
      places.forEach((i, k) => {
        answers[i] = found[k];
      });
    }
    return answers;
  }

  private together(requests: readonly InferRequest[]): InferAnswer[] {
    const [{ samples = this.settings.samples, seed = this.settings.seed + ++this.asked }] = requests;
    try {
      const data = requests.map((request) => datumLike(this.example, request.data));
      return withSeed(seed, () => this.infer(data, samples).map((posterior, i) => answerOf(posterior, requests[i])));
    } catch (error) {
      const { message } = error as Error;
      if (requests.length === 1) return [{ refused: error instanceof WrongForm, message }];
      const alone = requests.flatMap((request) => this.together([request]));
      const isNoRequest = alone.every((answer) => 'result' in answer);
      if (isNoRequest)
        machine.run.warn(`Requests failed together, and not one by one (${message}). Please report this.`);
      return alone;
    }
  }
}

function answerOf(posterior: Distribution<unknown>, { format }: InferRequest): InferAnswer {
  const { ess, khat } = ((posterior as { diagnostics?: object }).diagnostics ?? {}) as { ess?: number; khat?: number };
  const { logZ } = posterior as { logZ?: number };
  const advice = badWeights({ ess, khat });
  const known = { ess, khat: Number.isNaN(khat) ? undefined : khat, logZ, advice };
  const figures = Object.entries(known).filter(([, figure]) => figure !== undefined);
  return { result: JSON.stringify({ ...bodyOf(posterior, format), ...Object.fromEntries(figures) }), khat };
}

function bodyOf(posterior: Distribution<unknown>, format: InferRequest['format']): { [name: string]: JsonValue } {
  if (format === 'summary') return { summary: toJsonValue(summary(posterior)) };
  const { values, weights } = weightedValues(posterior)!;
  return { samples: toJsonValue(values), weights: Array.from(weights) };
}

/** Tensors as the lists that requests have in their place. */
function plain(example: unknown): unknown {
  if (example !== null && typeof example === 'object' && 'dims' in example && 'data' in example) {
    return Array.from((example as { data: ArrayLike<number> }).data);
  }
  if (Array.isArray(example)) return example.map(plain);
  if (typeof example !== 'object' || example === null || ArrayBuffer.isView(example)) return example ?? null;
  return Object.fromEntries(Object.entries(example).map(([name, part]) => [name, plain(part)]));
}

function partsOf(program: unknown): { model?: Model; example?: unknown; embed?: unknown; net?: Net } {
  if (typeof program === 'function') return { model: program as Model };
  if (typeof program !== 'object' || program === null) return {};
  if ('posteriors' in program && 'dreams' in program) return { net: program as Net };
  const { model, example, embed } = program as Readonly<Record<'model' | 'example' | 'embed', unknown>>;
  return typeof model === 'function' ? { model: model as Model, example, embed } : {};
}

function modelFor(model: Model | undefined, file: string): Model {
  if (model !== undefined) return model;
  throw new WaymarkError(
    `--net ${file} needs the model that it was trained for: let the program's value be the model.`,
  );
}

function nothingToServe(program: unknown): WaymarkError {
  return new WaymarkError(
    "There is nothing to serve: the program's value (its default export, or last expression) must be a model, that is a function of " +
      `a datum or one that calls mapData; or {model, example}; or a network of Amortize. It is ${describe(program)}.`,
  );
}
