/** Choices that `mem` makes when data ask for them first: they belong to the chain in which the function was given to `mem`. */
import { WaymarkError } from '../runtime/errors.ts';
import { notDivided } from '../runtime/signals.ts';
import type { Chain, PassEvent } from './record.ts';

export class AskedChoices {
  /** For chains of data, and of what data asked for: the chain around, and the pass they are in. */
  private readonly around = new WeakMap<Chain, { readonly outer: Chain; readonly pass?: PassEvent }>();

  /** A datum of a pass begins. */
  entered(chain: Chain, outer: Chain, pass: PassEvent): void {
    this.around.set(chain, { outer, pass });
  }

  /** Runs `work`, asked for in one chain and at home in another; `recordIn` says which chain choices go to. */
  remembering<T>(asking: Chain, home: object | undefined, work: () => T, recordIn: (chain: Chain) => void): T {
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
    const shared = this.askedIn(outermost, at);
    const count = shared.events.length;
    recordIn(shared);
    let value: T;
    try {
      value = work();
    } finally {
      recordIn(asking);
    }
    if (isPart && shared.events.length > count) refusePart();
    return value;
  }

  /** The chain of what items of a pass asked for; the pass is in the chain `outer`. */
  private askedIn(pass: PassEvent, outer: Chain): Chain {
    if (pass.asked === undefined) {
      const chain: Chain = { events: [] };
      this.around.set(chain, { outer });
      pass.asked = { kind: 'pass', address: pass.address, scale: 1, items: [chain] };
      outer.events.splice(outer.events.indexOf(pass), 0, pass.asked);
    }
    return pass.asked.items[0];
  }
}

/** How many data ask for a choice that only some were asked about cannot be told, and so not how much it counts. */
function refusePart(): never {
  throw new WaymarkError(
    'A function given to mem makes its choices when a datum of a minibatch asks for them first. They belong to all data, of ' +
      'which a minibatch is only a part. Call it before mapData with all arguments that data may ask for, or leave out batchSize.',
  );
}
