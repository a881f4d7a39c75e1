/**
 * Choices that `mem` makes when a datum first asks for them. They belong to the strand in which the function was given to
 * `mem`, since other data may ask for them later.
 */
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Reason } from '../runtime/reasons.ts';
import { notDivided, OneByOne } from '../runtime/signals.ts';
import type { PassEvent, Strand } from './record.ts';
import { Revaried } from './variation-plan.ts';
import { isWeighed } from './weights.ts';

/** Thrown where iterations have to run one by one, because what they asked `mem` for is weighed by what comes after. */
export class AskedInOrder extends OneByOne {
  constructor(readonly pass: PassEvent) {
    super('state', 'choices that mem remembers are weighed by the iterations that come after');
  }

  /** The step starts again, and these iterations are a loop. */
  startAgain(loops: Map<Address, Reason>): never {
    loops.set(this.pass.address, this);
    throw new Revaried();
  }
}

export class AskedChoices {
  /** For strands of data, and of what data asked for: the strand around, and the pass they are in. */
  private readonly around = new WeakMap<Strand, { readonly outer: Strand; readonly pass?: PassEvent }>();

  /** A datum of a pass begins, or several side by side; without a pass, those of them that take a side of a conditional. */
  entered(strand: Strand, outer: Strand, pass?: PassEvent): void {
    this.around.set(strand, { outer, pass });
  }

  /** Runs `work`, which one strand has asked for and another owns; `recordIn` says which strand its choices go to. */
  remembering<T>(asking: Strand, home: object | undefined, work: () => T, recordIn: (strand: Strand) => void): T {
    let outermost: PassEvent | undefined;
    let isPart = false;
    let isDivided = false;
    let at = asking;
    for (let around = this.around.get(at); at !== home && around !== undefined; around = this.around.get(at)) {
      outermost = around.pass ?? outermost;
      isDivided ||= around.pass?.divided === true;
      isPart ||= around.pass !== undefined && around.pass.scale !== 1;
      at = around.outer;
    }
    if (outermost === undefined) return work();
    // Which data ask first is known where all of them are.
    if (isDivided) throw notDivided;
    const unit = this.askedIn(outermost, at);
    recordIn(unit);
    let value: T;
    try {
      value = work();
    } finally {
      recordIn(asking);
    }
    if (isPart && unit.events.length > 0) refusePart();
    // (Iterations of `map` are no strands one by one, where it counts which of them asked first.)
    if (outermost.ordered && isWeighed(unit)) throw new AskedInOrder(outermost);
    return value;
  }

  /** A strand for what items of a pass ask for now; the pass is in the strand `outer`. */
  private askedIn(pass: PassEvent, outer: Strand): Strand {
    if (pass.asked === undefined) {
      pass.asked = { kind: 'pass', address: pass.address, scale: 1, items: [], entangled: true };
      outer.events.splice(outer.events.indexOf(pass), 0, pass.asked);
    }
    const unit: Strand = { events: [] };
    this.around.set(unit, { outer, pass });
    pass.asked.items.push(unit);
    return unit;
  }
}

/** Where only some data are looked at, it is not known how many of all ask for a choice, and so not how much it counts. */
function refusePart(): never {
  throw new WaymarkError(
    'A function given to mem makes its choices when a datum of a minibatch asks for them first. They belong to all data, of ' +
      'which a minibatch is only a part. Call it before mapData with all arguments that data may ask for, or leave out batchSize.',
  );
}
