/** Where executions side by side have made choices. */
import { current, currentGroup } from '../../lanes/columns/group.ts';
import type { Words } from '../../lanes/columns/kernel-memory.ts';
import type { Address } from '../../runtime/address.ts';
import { OneByOne } from '../../runtime/signals.ts';

/**
 * Alone, a second choice of an execution at one address gets a name of its own (`Address.choice`). Side by side, groups may
 * come to one address after each other, each for the first time; so it is noted which executions have been there.
 */
export class ChoicePlaces {
  /** Null for all. */
  private readonly seen = new Map<Address, Uint8Array | null>();

  /** The executions of the current group make a choice here. */
  note(address: Address): void {
    const { depth } = currentGroup();
    const before = this.seen.get(address);
    if (before === undefined && depth === 0) {
      this.seen.set(address, null);
      return;
    }
    const { slots } = currentGroup();
    if (before === null || slots.some((slot) => before?.[slot] === 1)) {
      throw new OneByOne('choices', 'several choices are made in one place');
    }
    const marks = before ?? new Uint8Array(current.columns!.size);
    for (const slot of slots) marks[slot] = 1;
    this.seen.set(address, marks);
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: () => Words): void {
    for (const [address, marks] of this.seen) {
      if (marks === null) continue;
      const { array } = ancestors();
      this.seen.set(
        address,
        Uint8Array.from(array, (parent) => marks[parent]),
      );
    }
  }
}
