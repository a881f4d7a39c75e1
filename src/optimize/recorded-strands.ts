/** Where an execution writes its record: the strand at hand, and one of its own for each group of lanes and each side of a conditional. */
import { Encounters } from '../lanes/encounters.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { recordSides, runSides } from '../lanes/sides.ts';
import type { Following } from '../lanes/together.ts';
import type { Sides, Way } from '../lanes/ways.ts';
import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import { isOwnThrow } from '../runtime/throwing.ts';
import { dependsOn } from '../tensor/gradient/gradient.ts';
import type { Node } from '../tensor/node.ts';
import { AskedChoices } from './asked-choices.ts';
import { NotOpen } from './open-steps.ts';
import type { PassEvent, Strand } from './record.ts';
import type { Relaxed } from './sites/rule.ts';
import type { StepContext } from './step-context.ts';
import type { VariationPlan } from './variation-plan.ts';
import { VariedUnit, variedLanes } from './varied-unit.ts';

const THROWN = new Reason('caught', 'the program throws on a side of a condition');

export class RecordedStrands {
  readonly root: Strand = { events: [] };
  protected readonly asked = new AskedChoices();
  protected strand: Strand = this.root;
  /** The choices of the lanes in force, if they branch. */
  protected encounters: Encounters | null = null;
  /** Values of choices between those that can be drawn. */
  protected readonly relaxed: Relaxed[] = [];
  /** Where they are on their way through the program, if they branch. */
  private way: Way | null = null;

  constructor(
    readonly context: StepContext,
    /** The datum or execution that choices are varied within; null where they cannot be. */
    protected unit: VariedUnit | null,
  ) {}

  looksAt(numbers: Node): void {
    for (const one of this.relaxed) one.isLookedAt ||= dependsOn(numbers, one.value);
  }

  fork(condition: unknown, sides: Sides, valued: boolean): { readonly value: unknown } | undefined {
    const known = this.way?.met(sides);
    const rerun = recording.current;
    if (known === undefined || !rerun?.isOpen) return undefined;
    // On a side it is not known which lanes there are, even where each knows what it does; nor after one which choices they are at.
    const { space, streams } = currentLanes()!;
    if (!rerun.changes(condition as Node) && !space.isOpen && streams.isSettled) return undefined;
    this.looksAt(condition as Node);
    const fork = { condition: condition as Node, sides: known, valued };
    try {
      return { value: this.withSides((into) => recordSides(fork, into, rerun)) };
    } catch (thrown) {
      // What the program throws on a side, and may catch, is of the lanes of the side.
      throw isOwnThrow(thrown) ? new NotOpen(THROWN) : thrown;
    }
  }

  /** Each side of a conditional is a strand of its own: what a lane does in it concerns no other. */
  branch(taken: Uint8Array, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown {
    return this.withSides((into) => runSides({ taken, then, otherwise, valued }, into));
  }

  private withSides(run: (into: Pick<Following, 'enter' | 'leave'>) => unknown): unknown {
    const event: PassEvent = { kind: 'pass', address: machine.address, scale: 1, items: [] };
    const value = run(this.into(event.items));
    const items = event.items.filter(({ events }) => events.length > 0);
    if (items.length > 0) this.strand.events.push({ ...event, items });
    return value;
  }

  /** Does something whose record goes to a strand. */
  within<T>(strand: Strand, work: () => T): T {
    const outer = this.strand;
    this.strand = strand;
    try {
      return work();
    } finally {
      this.strand = outer;
    }
  }

  /** Does something outside the lanes in force, which has a record of its own. */
  protected outside<T>(work: () => T): T {
    const { encounters, way } = this;
    this.encounters = null;
    this.way = null;
    try {
      return work();
    } finally {
      this.encounters = encounters;
      this.way = way;
    }
  }

  /** Has the record of each group of lanes go to a strand of its own; `units` says how their choices are varied, if each is a unit. */
  into(
    strands: Strand[],
    units?: { readonly plan: VariationPlan; readonly base: Address | null; readonly pass?: Address },
    place: Address = machine.address,
    pass?: PassEvent,
  ): Pick<Following, 'enter' | 'leave'> {
    const outer = this.strand;
    const { encounters, unit, way } = this;
    const back = (): void => {
      this.strand = outer;
      this.way = way;
      this.unit = unit;
      this.encounters = encounters;
    };
    return {
      enter: (lanes, places) => {
        const { length } = strands;
        const varied = units && variedLanes(units.plan, places);
        this.strand = { lanes, places, events: [], ...(varied && { varied }) };
        if (units !== undefined) {
          const source = units.pass && this.context.datumOf(units.pass, lanes, 0, unit?.datum);
          this.unit = new VariedUnit(units.plan, lanes, varied?.of ?? null, units.base, source);
        }
        strands.push(this.strand);
        if (pass !== undefined || lanes.kind === 'side') this.asked.entered(this.strand, outer, pass);
        // Sides of a conditional are part of the lanes around them.
        if (lanes.kind !== 'side') {
          this.encounters = lanes.branches ? new Encounters(lanes) : null;
          this.way = lanes.branches ? this.context.setting.ways.from(place) : null;
        }
        const mark = this.encounters?.mark ?? 0;
        return () => {
          strands.length = length;
          this.encounters?.back(mark);
          back();
        };
      },
      leave: back,
    };
  }
}
