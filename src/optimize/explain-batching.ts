/** `--explain-batching`: which iterations ran side by side, whether steps were compiled, and why not, and at what cost. */
import type { Address } from '../runtime/address.ts';
import { costLine, costOfData, UNCOMPILED } from '../runtime/costs.ts';
import { machine } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';
import { asksHow, type Conduct, Reason, type Way } from '../runtime/reasons.ts';
import { adviseOn, helpFor } from '../runtime/remedies.ts';
import { engineMode } from '../tensor/mode.ts';
import type { PassEvent } from './record.ts';

/** What is known of a place in the program, whose iterations may be met many times. */
interface Place {
  readonly kind: 'mapData' | 'iterations';
  /** The fewest and most iterations that ran at once, and the most groups they parted into. */
  fewest: number;
  most: number;
  groups: number;
  /** Whether sides of conditionals were run each for those that take it. */
  branches: boolean;
  /** Times it ran side by side, and iterations that ran one by one, with the milliseconds they took. */
  together: number;
  alone: number;
  milliseconds: number;
  /** Why not all ran side by side, if that is so. */
  reason: Reason | undefined;
}

/** So many steps show whether most can be compiled. */
const MANY_STEPS = 24;

export class BatchingReport {
  private readonly places = new Map<string, Place>();
  private compiled = 0;
  private executed = 0;
  private obstacle: Reason | null = null;
  private readonly wanted = asksHow(machine.run);

  /** Of an optimisation that begins here. */
  constructor(private readonly address: Address) {}

  /** So many iterations of a pass ran side by side. */
  ranPass({ address, items }: PassEvent, kind: Place['kind'], count: number, groups: number): void {
    if (!this.wanted) return;
    const branches = items.some(({ lanes }) => lanes?.branched === true);
    const place = this.at(address, kind);
    place.fewest = Math.min(place.fewest, count);
    place.most = Math.max(place.most, count);
    // Groups come before branches.
    place.groups = branches && !place.branches ? groups : Math.max(place.groups, groups);
    place.branches ||= branches;
    place.together++;
  }

  /** A pass begins whose data are looked at one by one; the function returned is to be called when it ends. */
  alone(address: Address, reason: Reason): (count: number) => unknown {
    if (!this.wanted) return (count) => adviseOn(textOf(address), 'mapData', reason, costOfData(count));
    const place = this.at(address, 'mapData');
    place.reason = reason;
    const start = performance.now();
    return (count) => {
      place.alone += count;
      place.milliseconds += performance.now() - start;
    };
  }

  step(compiled: boolean, obstacle: Reason | null): void {
    if (compiled) this.compiled++;
    else this.executed++;
    this.obstacle = obstacle ?? this.obstacle;
  }

  /** Whether few steps were compiled so far. (Where there are checkpoints, steps of another run do not count.) */
  get isMostlyExecuted(): boolean {
    return !engineMode.bySize && this.executed >= MANY_STEPS && this.compiled < this.executed / 2;
  }

  /** `apart` is why the samples of a step were executed one by one, if they were, `drawn` why values of choices were not tried side by side. */
  tell(samples: number, apart: Reason | null, loops: ReadonlyMap<Address, Reason>, drawn: Iterable<Reason>): void {
    if (!this.wanted) return;
    const { run } = machine;
    const rows = this.rows(samples, apart);
    for (const reason of drawn) {
      const message = `values of choices: drawn, and not tried side by side, because ${reason}`;
      rows.push({ ...wayOf(textOf(this.address), 'lanes', reason), method: 'values', message });
    }
    if (run.engine?.explainBatching) {
      run.warn(
        `How Optimize ran:\n${rows.map(({ message, code, cost }) => `  ${message}${costLine(code, cost, 4)}${helpFor(code, 4)}`).join('\n')}`,
      );
    }
    if (run.conduct === undefined) return;
    for (const row of rows) run.conduct(row);
    for (const [address, reason] of loops) {
      const message = `a loop, because ${reason}`;
      run.conduct({ ...wayOf(textOf(address), 'lanes', reason), method: 'iterations', message });
    }
  }

  private rows(samples: number, apart: Reason | null): Conduct[] {
    const place = textOf(this.address);
    const rows: Conduct[] = [];
    if (samples > 1) {
      const how = apart === null ? 'side by side' : `one by one, because ${apart}`;
      const message = `samples of a step: ${samples}, ${how}`;
      rows.push({ ...wayOf(place, 'lanes', apart), method: 'samples', message, cost: costOfData(samples) });
    }
    for (const [text, found] of this.places) {
      const message = `${found.kind} at ${text}: ${this.conduct(found, text)}`;
      const groups = found.groups > 1 ? found.groups : undefined;
      const cost = costOfData(found.alone / Math.max(1, this.executed));
      rows.push({ ...wayOf(text, 'lanes', found.reason), method: found.kind, groups, message, cost });
    }
    const { compiled, executed, obstacle } = this;
    const why = executed > 2 && obstacle !== null ? `, because ${obstacle}` : '';
    const message = `steps: ${compiled} compiled, ${executed} with the program run${why}`;
    const reason = compiled > 0 ? null : (obstacle ?? (executed > 2 ? NEVER_THE_SAME : FEW_STEPS));
    rows.push({ ...wayOf(place, 'compiled', reason), method: 'steps', message, cost: UNCOMPILED });
    return rows;
  }

  private conduct(
    { kind, fewest, most, groups, branches, together, alone, milliseconds, reason }: Place,
    text: string,
  ): string {
    const steps = Math.max(1, this.executed);
    if (reason !== undefined) {
      const cost = `${figure(alone / steps)} runs of its body and ${figure(milliseconds / steps)} ms per step`;
      return `one by one, because ${reason.from(text)} (${cost})`;
    }
    const count = fewest === most ? String(most) : `${fewest} to ${most}`;
    const noun = kind === 'mapData' ? ' data' : '';
    const parts = groups === 1 ? '' : `, in ${groups} groups whose course differs`;
    const sides = branches ? ', each side of a condition for those that take it' : '';
    const times = together > steps ? `, ${figure(together / steps)} times per step` : '';
    return `${most === 1 ? 'one datum per step' : `${count}${noun} side by side`}${parts}${sides}${times}`;
  }

  private at(address: Address, kind: Place['kind']): Place {
    const text = textOf(address);
    let place = this.places.get(text);
    if (place === undefined) {
      place = {
        ...{ kind, fewest: Infinity, most: 0, groups: 0, branches: false },
        ...{ together: 0, alone: 0, milliseconds: 0, reason: undefined },
      };
      this.places.set(text, place);
    }
    return place;
  }
}

const textOf = (address: Address): string => placeOf(address) ?? String(address);

type Where = Pick<Conduct, 'place' | 'way' | 'code' | 'reason'>;

const wayOf = (place: string, way: Way, reason: Reason | null | undefined): Where =>
  reason == null ? { place, way } : { place, way: 'one by one', code: reason.code, reason: reason.from(place) };

const FEW_STEPS = new Reason('few', 'there are few');
const NEVER_THE_SAME = new Reason('courses', 'each took another way through the program');

const figure = (x: number): string => (x >= 10 || Number.isInteger(x) ? x.toFixed(0) : x.toPrecision(2));
