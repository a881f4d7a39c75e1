/** Recordings of one path of an enumeration, which hold for all paths through the same choices. */

import type { Address } from '../../runtime/address.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Reason } from '../../runtime/reasons.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { RecordedDistribution, scoreOf } from './distribution.ts';
import { holdsRecorded, tableOf } from './recorded.ts';
import { type KnownChoice, type Made, Recorder, recordedBy, valuesOf } from './recorder.ts';
import { type Taped, TapeRecording } from './tape-recording.ts';

/** A choice with all its values. */
export interface ListedChoice {
  readonly address: Address;
  readonly values: readonly unknown[];
  /** The values as numbers. */
  readonly numbers: readonly number[];
  /** Log-weights of the values, if they are always the same. */
  readonly scores: readonly number[] | null;
  /** Otherwise the place of the first log-weight among the leaves. */
  readonly leaf: number;
}

/** A choice with more values than this is scored by its family, and not by selecting among known scores. */
const MOST_VALUES = 16;

class PathRecorder extends Recorder {
  override readonly holdsValues = false;
  readonly listed: ListedChoice[] = [];

  constructor(
    private readonly path: readonly KnownChoice[],
    takesTables: boolean,
  ) {
    super(path, path.length, takesTables);
  }

  protected override note(place: number, distribution: Distribution<unknown>, { node, value, listed }: Made): void {
    const { address } = this.path[place];
    this.tape.mark();
    if (holdsRecorded(distribution)) {
      const values = listed ?? listedValues(coin(distribution));
      const { start, count } = this.part(values.map((one) => scoreOf(distribution, one)));
      if (count !== values.length) throw new OneByOne('family', 'a choice scores the same whatever others are');
      this.listed.push({ address, values, numbers: numbersOf(values, listed), scores: null, leaf: start });
      this.factor(scoreOf(distribution, value));
      return;
    }
    const values = listed ?? listedValues(distribution);
    const first = distribution.score(values[0]);
    const scores = values.map((one) => (distribution.isUniform ? first : distribution.score(one)));
    const numbers = numbersOf(values, listed);
    this.listed.push({ address, values, numbers, scores, leaf: 0 });
    if (distribution.isUniform) this.factor(first);
    else if (values.length > MOST_VALUES) this.factor(scoreOf(distribution, value));
    else this.tape.factor(this.scoreAmong(node, numbers, scores));
  }

  /** The score that belongs to the number. */
  private scoreAmong(value: number, numbers: readonly number[], scores: readonly number[]): number {
    const { tape } = this;
    const last = numbers.length - 1;
    let found = tape.constant(scores[last]);
    for (let i = last - 1; i >= 0; i--) {
      const isThis = tape.operate('eq', value, tape.constant(numbers[i]));
      found = tape.operate('select', isThis, tape.constant(scores[i]), found);
    }
    return found;
  }
}

/** The numbers that stand for the values of a choice: their places, if they are listed. */
const numbersOf = (values: readonly unknown[], listed: readonly unknown[] | null): readonly number[] =>
  listed === null ? values.map(Number) : values.map((_, i) => i);

/** Of all families only coins are known to have the same values whatever their parameters are. */
function coin(distribution: Distribution<unknown>): Distribution<unknown> {
  const table = tableOf(distribution);
  if (table !== undefined) {
    const [first] = table.values as readonly Distribution<unknown>[];
    if (valuesOf(distribution) !== undefined && !holdsRecorded(first)) return first;
  }
  if (!(distribution instanceof RecordedDistribution) || distribution.name !== 'Bernoulli') {
    throw new OneByOne('family', `the values of ${distribution.name} may depend on choices`);
  }
  return distribution.rebuild({ p: 0.5 });
}

function listedValues(distribution: Distribution<unknown>): readonly unknown[] {
  const values = distribution.support?.();
  const kind = Array.isArray(values) ? typeof values[0] : undefined;
  if ((kind !== 'number' && kind !== 'boolean') || !(values as unknown[]).every((one) => typeof one === kind)) {
    throw new OneByOne('family', `the values of ${distribution.name} are not all numbers`);
  }
  return values as readonly unknown[];
}

/** What was recorded of a path. */
export class RecordedPath extends TapeRecording {
  constructor(
    taped: Taped,
    readonly choices: readonly ListedChoice[],
  ) {
    super(taped, false);
  }

  override numberOf(place: number, value: unknown): number {
    const { values, numbers } = this.choices[place];
    return numbers[values.indexOf(value)] ?? Number.NaN;
  }
}

/** Records an execution that has been made before, along the choices given. A reason says why that is not possible. */
export function recordPath(
  entry: Entry,
  model: () => unknown,
  path: readonly KnownChoice[],
  stream: RandomStream,
): RecordedPath | Reason {
  return recordedBy((takesTables) => {
    const recorder = new PathRecorder(path, takesTables);
    const made = recorder.record(entry, model, stream.again(), (taped) => new RecordedPath(taped, recorder.listed));
    return { made, tables: recorder.tape.tables };
  });
}
