import type { Random } from '../runtime/random.ts';
import { valueKey } from '../runtime/values.ts';
import { BaseDistribution, type Scored } from './distribution.ts';
import type { ProbabilityTable } from './table.ts';

/** A value and its probability, as `getDist` lists them. */
export interface Entry<V> {
  val: V;
  prob: number;
}

/** A distribution that is a table of values with probabilities. */
export abstract class TabulatedDistribution<V> extends BaseDistribution<V> {
  override readonly isContinuous: boolean = false;
  private listed: Record<string, Entry<V>> | null = null;

  /** The table, which a subclass may make when first asked. */
  protected abstract get table(): ProbabilityTable<V>;

  override draw(random: Random): V {
    return this.table.draw(random);
  }

  override score(value: V): number {
    return this.table.score(value);
  }

  override support(): readonly V[] {
    return this.table.values;
  }

  /** Probabilities by JSON text of the value, in WebPPL's form. */
  getDist(): Record<string, Entry<V>> {
    if (this.listed === null) {
      const listed: Record<string, Entry<V>> = {};
      this.table.values.forEach((val, i) => {
        const text = jsonText(val);
        listed[text in listed ? String(valueKey(val)) : text] = { val, prob: this.table.probabilities[i] };
      });
      this.listed = listed;
    }
    return this.listed;
  }

  /** The most probable value; the first of them on a tie. */
  override MAP(): Scored<V> {
    const { values, scores } = this.table;
    let best = 0;
    for (let i = 1; i < scores.length; i++) if (scores[i] > scores[best]) best = i;
    return { val: values[best], score: scores[best] };
  }

  /** In nats. */
  override entropy(): number {
    const { probabilities, scores } = this.table;
    let total = 0;
    for (let i = 0; i < scores.length; i++) if (probabilities[i] > 0) total -= probabilities[i] * scores[i];
    return total;
  }

  override toJSON(): { probs: number[]; support: readonly V[] } {
    return { probs: Array.from(this.table.probabilities), support: this.table.values };
  }

  /** Of numeric values. */
  mean(): number {
    return this.table.mean();
  }

  /** Of numeric values. */
  variance(): number {
    return this.table.variance();
  }

  /** P(X ≤ x), of numeric values. */
  cdf(x: number): number {
    return this.table.cdf(x);
  }

  /** The smallest value x with P(X ≤ x) ≥ p, of numeric values. */
  quantile(p: number): number {
    return this.table.quantile(p);
  }

  /** One line per value, the most probable first. */
  override toString(): string {
    const entries = Object.entries(this.getDist()).sort(([, a], [, b]) => b.prob - a.prob);
    return `${this.name}:\n${entries.map(([text, { prob }]) => `    ${text} : ${prob}`).join('\n')}`;
  }

  override valueKey(): string {
    const parts = this.table.values.map((value, i) => `${String(valueKey(value))}:${this.table.scores[i]}`);
    return `${this.name} ${parts.sort().join(',')}`;
  }
}

/** JSON where the value has it; what has none (a function, infinity within an object) is told by its key. */
function jsonText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? String(valueKey(value));
  } catch {
    return String(valueKey(value));
  }
}
