/** Iterations of loops and of data that an execution of an objective runs side by side, where that works. */
import { currentLanes, laneNumbers } from '../lanes/lanes.ts';
import { nestedIterations, ownIterations } from '../lanes/nested.ts';
import { paddedLists } from '../lanes/padded.ts';
import { recording } from '../lanes/recording.ts';
import type { Outcome } from '../lanes/results.ts';
import { type Iteration, runTogether } from '../lanes/together.ts';
import { unreadList } from '../lanes/unread.ts';
import { isVaried } from '../lanes/zipped.ts';
import { type Address, nowhere } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import type { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Node } from '../tensor/node.ts';
import { AskedInOrder } from './asked-choices.ts';
import { COURSES_DIFFER, LEAST_BRANCHING } from './disagreements.ts';
import type { Body } from './divided-pass.ts';
import { endedBy, looked } from './ended-ways.ts';
import { GivenChoices } from './given-executions.ts';
import { notOpen } from './open-steps.ts';
import type { PassEvent } from './record.ts';
import { RecordedStrands } from './recorded-strands.ts';
import type { StepContext } from './step-context.ts';
import type { VariationPlan } from './variation-plan.ts';
import { VariedUnit } from './varied-unit.ts';
import { isWeighed } from './weights.ts';

/** A pass through lists that are padded. */
interface PaddedPass {
  readonly items: ArrayLike<unknown>;
  /** The body for items that there are. */
  body(body: Body): Body;
  /** Lists of other lengths in each step, which programs seldom read. Where one does, the iterations are run otherwise. */
  readonly results: unknown[];
}

/** The program reads results of iterations that were not kept. */
class ResultsRead extends OneByOne {
  constructor() {
    super('value', 'the program uses what the iterations return');
  }
}

export abstract class LaneRuns extends RecordedStrands {
  /** The choices of the execution, where an objective is given executions. */
  protected readonly given: GivenChoices | null;

  /** Whether states of a `foldData` are summed, whose steps cannot be recorded for all ways. */
  protected sumsStates = false;

  /** `number` says which execution of the step it is, if it is one alone. */
  constructor(context: StepContext, number: number) {
    super(context, new VariedUnit(context.found.variations.at(null), null, null, null));
    const { draws, later } = context;
    this.given = draws.given === undefined ? null : new GivenChoices(draws.given, () => later.draws!.given!, number);
  }

  together<A, B>(
    items: ArrayLike<A>,
    body: (item: A, index: number) => B,
    address: Address,
    used: boolean,
  ): B[] | undefined {
    const { loops, disagreements } = this.context.found;
    // Functions without choices have no addresses, and no random numbers: lanes pay only for ragged arrays.
    const plain = address === nowhere;
    if (this.context.apart || loops.has(address) || (plain && !isVaried(items))) return undefined;
    const lanes = currentLanes();
    const padded = plain ? undefined : this.padded(items, address);
    const iterations = lanes === null ? ownIterations(items) : nestedIterations(padded?.items ?? items);
    const each = iterations === undefined ? 0 : iterations.indices.length / (lanes?.size ?? 1);
    if (iterations === undefined || each < disagreements.leastOf(lanes)) return undefined;
    const event: PassEvent = { kind: 'pass', address, scale: 1, items: [], ordered: true };
    this.strand.events.push(event);
    const outcome = this.run(event, iterations, padded?.body(body as Body) ?? (body as Body), loops, used);
    if (outcome === undefined) {
      this.strand.events.pop();
      return undefined;
    }
    if (event.asked !== undefined && event.items.some(isWeighed)) new AskedInOrder(event).startAgain(loops);
    if (plain) {
      this.strand.events.pop();
      machine.stream.retract();
      return outcome.results() as B[];
    }
    // Groups run one after the other, so that many of them are no better than a loop.
    const parted = outcome.groups > Math.max(1, each / 2);
    if (parted && !(each >= LEAST_BRANCHING && disagreements.parted(address))) loops.set(address, COURSES_DIFFER);
    else this.context.setting.report.ranPass(event, 'iterations', iterations.indices.length, outcome.groups);
    return (padded?.results ?? outcome.results()) as B[];
  }

  /** How lists are gone through that differ in length, and are others in each step; undefined of all others. */
  protected padded(lists: ArrayLike<unknown>, address: Address): PaddedPass | undefined {
    const { resultsRead } = this.context.found;
    const padded = this.mayBranch && !resultsRead.has(address) ? paddedLists(lists) : undefined;
    if (padded === undefined) return undefined;
    const read = (): never => {
      resultsRead.add(address);
      throw new ResultsRead();
    };
    return {
      items: padded.items,
      body: (body) => (item, index) => this.whereTrue(padded.isThere(index), () => body(item, index)),
      results: unreadList(read),
    };
  }

  /** Runs something for the lanes of which a condition holds. */
  private whereTrue(condition: Node, run: () => unknown): void {
    const lanes = currentLanes()!;
    const sides = { yes: () => void run(), no: () => {}, both: true };
    if (lanes.branches && this.fork(condition, sides, false) !== undefined) return;
    const taken = Uint8Array.from(laneNumbers(condition, lanes), Number);
    if (!taken.includes(0)) sides.yes();
    else if (taken.includes(1)) this.branch(taken, sides.yes, sides.no, false);
  }

  /** Whether iterations in groups may as well branch. */
  protected get mayBranch(): boolean {
    return !this.sumsStates;
  }

  /** Runs iterations side by side; if that does not work, nothing has happened, and `refused` is told why. */
  protected run(
    event: PassEvent,
    iterations: Iteration,
    body: Body,
    refused: Map<Address, Reason>,
    used = false,
    plan?: VariationPlan,
    base: Address = event.address.lanes(),
  ): Outcome | undefined {
    const { disagreements } = this.context.found;
    const { stream, effects } = machine;
    // (Data before this one, where they run one after the other.)
    const { length } = event.items;
    const units = plan && { plan, base, pass: event.address };
    const into = this.into(event.items, units, event.address, event);
    const following = { ...into, look: looked(refused, event.address) };
    for (;;) {
      try {
        const outcome = runTogether(iterations, body, following, disagreements.at(event.address));
        if (this.mayBranch) disagreements.ran(event.address, outcome.groups, event.items);
        if (used && !outcome.isUsable) throw new OneByOne('value', 'the program uses what the iterations return');
        return outcome;
      } catch (thrown) {
        if (thrown instanceof OneByOne && thrown.noted) throw thrown;
        if (thrown instanceof AskedInOrder) thrown.startAgain(this.context.found.loops);
        // What cannot be recorded with open lanes may well be run.
        if (recording.current?.isOpen) throw notOpen(thrown);
        event.items.length = length;
        stream.retract();
        machine.effects = effects;
        if (thrown instanceof ResultsRead) continue;
        const reason = endedBy(thrown, plan !== undefined && plan.count > 1);
        if (disagreements.failed(event.address, reason)) continue;
        refused.set(event.address, reason);
        return undefined;
      }
    }
  }
}
