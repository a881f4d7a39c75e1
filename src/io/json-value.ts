/**
 * Values of programs as JSON, for `waymark run --json` and `waymark batch`. JSON has no word for some of them, so
 * those are small objects with a telling key: `{"number":"NaN"}`, `{"undefined":true}`, `{"function":true}`,
 * `{"tensor":true,…}`, `{"dist":…}`. Everything else is written as JSON writes it.
 */
import { listedValues } from '../distributions/of-family.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Tensor } from '../tensor/tensor.ts';

/** What `JSON.stringify` writes without a loss. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/** The JSON form of a value. A value that contains itself has none, and is an error. */
export function toJsonValue(value: unknown): JsonValue {
  return new Conversion().of(value, 'value');
}

/** Results of inference have these besides what every distribution has. */
interface Inferred {
  readonly logZ?: number;
  readonly samples?: readonly unknown[];
}

class Conversion {
  /** The objects on the way to the current value, outermost first, and the steps that lead from each to the next. */
  private readonly ancestors = new Set<object>();
  private readonly steps: (string | number)[] = [];

  of(value: unknown, step: string | number): JsonValue {
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value) ? value : { number: String(value) };
      case 'string':
      case 'boolean':
        return value;
      case 'undefined':
        return { undefined: true };
      case 'function':
        return { function: true };
      case 'bigint':
        return { bigint: String(value) };
      case 'symbol':
        return { symbol: value.description ?? '' };
      default:
        return value === null ? null : this.descend(value as object, step);
    }
  }

  private descend(value: object, step: string | number): JsonValue {
    this.steps.push(step);
    if (this.ancestors.has(value)) throw this.cycle(value);
    this.ancestors.add(value);
    const converted = this.object(value);
    this.ancestors.delete(value);
    this.steps.pop();
    return converted;
  }

  private object(value: object): JsonValue {
    if (Array.isArray(value)) return this.list(value);
    if (value instanceof Tensor) return { tensor: true, dims: this.list(value.dims), data: this.list(value.data) };
    if (isDistribution(value)) return this.distribution(value);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      return this.list(value as unknown as ArrayLike<unknown>);
    }
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? { date: 'invalid' } : value.toISOString();
    if (value instanceof Map) return { map: this.list([...value]) };
    if (value instanceof Set) return { set: this.list([...value]) };
    if (value instanceof RegExp) return String(value);
    if (value instanceof Error) return { error: value.message };
    // fromEntries defines fields, so that one called __proto__ is a field like any other.
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.of(field, name)]));
  }

  private list(values: ArrayLike<unknown>): JsonValue[] {
    const converted: JsonValue[] = [];
    for (let i = 0; i < values.length; i++) converted.push(this.of(values[i], i));
    return converted;
  }

  private distribution(value: Distribution<unknown>): JsonValue {
    const support = listedValues(value);
    if (support === undefined) return { dist: value.name, params: this.of(value.params, 'params') };
    const form: { [name: string]: JsonValue } = {
      dist: value.name,
      support: this.of(support, 'support'),
      probs: support.map((element) => Math.exp(value.score(element))),
    };
    const { logZ, samples } = value as Inferred;
    if (typeof logZ === 'number') form.logZ = this.of(logZ, 'logZ');
    if (Array.isArray(samples)) form.samples = samples.length;
    return form;
  }

  private cycle(value: object): WaymarkError {
    const depth = [...this.ancestors].indexOf(value);
    const whole = place(this.steps.slice(0, depth + 1));
    return new WaymarkError(
      `${place(this.steps)} is ${whole} itself, and a value that contains itself has no JSON form. Leave it out.`,
    );
  }
}

/** `value.people[3].name`, shortened in the middle where the way is very long. */
function place(steps: readonly (string | number)[]): string {
  const texts = steps.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`));
  return texts.length <= 12 ? texts.join('') : `${texts.slice(0, 6).join('')}…${texts.slice(-5).join('')}`;
}
