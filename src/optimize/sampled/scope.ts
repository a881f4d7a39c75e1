/**
 * Whether samples are of single data of `mapData` or of whole executions. Data are preferred: their weights vary less than
 * those of all data together. Choices before the data are then made once, and have their terms of the ELBO. Executions are
 * sampled where no choice is made inside `mapData`, or where what follows depends on several data. Which of the two it is, is
 * found in the first steps and kept.
 */
import type { Address } from '../../runtime/address.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Entangled, notDivided } from '../../runtime/signals.ts';
import type { Division } from '../division.ts';
import type { Strand } from '../record.ts';
import type { Sampling, SamplingNow } from './objective.ts';

export class SampleScope {
  private whole: boolean;
  /** Whether it stays so. */
  private decided: boolean;

  /** Whether it is not known yet that there are the data that are asked for. */
  private looksForData: boolean;

  constructor(private readonly sampling: Sampling) {
    this.whole = sampling.per === 'execution';
    this.decided = sampling.per !== undefined;
    this.looksForData = sampling.per === 'datum';
  }

  /** How many executions a step takes. */
  get executions(): number {
    return this.whole ? this.sampling.count : 1;
  }

  /** What an execution is told. */
  get now(): SamplingNow {
    const { count, kind } = this.sampling;
    return { count, kind, perDatum: !this.whole };
  }

  /**
   * Does a step. If data turn out not to be independent it is done again, with samples of whole executions. Ranks wait with dividing data
   * until that is known.
   */
  settling<R>(step: () => R, widened: () => void, division: Division | null): R {
    try {
      const found = step();
      division?.heard(this.decided && !this.whole);
      return found;
    } catch (thrown) {
      if (!(thrown instanceof Entangled)) throw thrown;
      // Others have other data: all of them have to look at all.
      if (division?.mode === 'data') throw notDivided;
      if (this.sampling.per === 'datum') {
        throw new WaymarkError(
          `per: 'datum' asks for samples of single data, but what follows depends on them, because ${thrown.how}. ` +
            "Leave the option out, or write per: 'execution'.",
        );
      }
      this.whole = true;
      this.decided = true;
      widened();
      return step();
    }
  }

  /** What was recorded of a step, in which samples of whole executions are samples like others. */
  within<R extends { readonly strands: readonly Strand[] }>(recorded: R, address: Address): R {
    return { ...recorded, strands: this.executed(recorded.strands, address) };
  }

  private executed(strands: readonly Strand[], address: Address): readonly Strand[] {
    if (this.whole) {
      const items = [...strands];
      return [{ events: [{ kind: 'pass', address, scale: 1, items, sampled: { count: this.sampling.count } }] }];
    }
    if (this.looksForData && !strands.some(hasData)) {
      throw new WaymarkError(
        "per: 'datum' asks for samples of single data, and the model has no mapData. Leave the option out, or write per: 'execution'.",
      );
    }
    this.looksForData = false;
    if (!this.decided) {
      if (strands.some(isLessOfData)) throw new Entangled('no choice is made inside mapData');
      this.decided = true;
    }
    return strands;
  }

  /** For a checkpoint. */
  get saved(): number {
    return this.whole ? 1 : this.decided ? 2 : 0;
  }

  restore(saved: number | undefined, widened: () => void): void {
    if (saved === undefined || saved === 0) return;
    this.decided = true;
    if (saved === 1 && !this.whole) {
      this.whole = true;
      widened();
    }
  }
}

const hasData = ({ events }: Strand): boolean =>
  events.some((event) => event.kind === 'pass' && (event.sampled !== undefined || event.items.some(hasData)));

/** Whether nothing is chosen for single data; samples of executions that look at minibatches would bound nothing. */
function isLessOfData(strand: Strand): boolean {
  return !hasSampledChoice(strand, false) && !hasMinibatch(strand);
}

const hasSampledChoice = ({ events }: Strand, isSampled: boolean): boolean =>
  events.some((event) =>
    event.kind === 'pass'
      ? event.items.some((item) => hasSampledChoice(item, isSampled || event.sampled !== undefined))
      : event.kind === 'choice' && isSampled,
  );

const hasMinibatch = ({ events }: Strand): boolean =>
  events.some((event) => event.kind === 'pass' && (event.scale !== 1 || event.items.some(hasMinibatch)));
