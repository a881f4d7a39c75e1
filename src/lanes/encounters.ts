/**
 * How often each lane has made a choice at an address, where lanes branch: a second choice at one address has an address of
 * its own (`Address.choice`), and those that took another side of a conditional may not have made the first.
 */
import type { Address } from '../runtime/address.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import type { Lanes } from './lanes.ts';
import { recording } from './recording.ts';
import type { Rerun } from './rerun.ts';

export class Encounters {
  private readonly counts = new Map<Address, Int32Array>();
  /** What was counted, in order, to be taken back. */
  private readonly noted: { readonly counts: Int32Array; readonly lanes: Lanes }[] = [];

  /** Counts of one construct's iterations, those on sides of conditionals included. */
  constructor(private readonly root: Lanes) {}

  /** The address for a choice that lanes make. */
  choice(address: Address, lanes: Lanes): Address {
    if (recording.current?.isOpen) return this.openChoice(address, lanes, recording.current);
    let counts = this.counts.get(address);
    if (counts === undefined) {
      counts = new Int32Array(this.root.size);
      this.counts.set(address, counts);
    }
    const map = lanes.mapTo(this.root.space);
    const before = counts[map === null ? 0 : map[0]];
    for (let lane = 0; lane < lanes.size; lane++) {
      if (counts[map === null ? lane : map[lane]]++ !== before) {
        throw new OneByOne('choices', 'some of them come to a choice more often than others');
      }
    }
    this.noted.push({ counts, lanes });
    return before === 0 ? address : this.choice(address.index(before), lanes);
  }

  private readonly spaces = new Map<Address, LaneSpace[]>();

  /** The same for open lanes: all that may take the side must have met the address equally often. */
  private openChoice(address: Address, { space }: Lanes, rerun: Rerun): Address {
    let spaces = this.spaces.get(address);
    if (spaces === undefined) {
      spaces = [];
      this.spaces.set(address, spaces);
    }
    let before = 0;
    for (const other of spaces) {
      if (space.descendsFrom(other)) before++;
      else if (!areDisjoint(space, other))
        rerun.obstruct('choices', 'some iterations come to a choice more often than others');
    }
    spaces.push(space);
    return before === 0 ? address : address.index(before);
  }

  /** How much was counted so far; `back` forgets what was counted since. */
  get mark(): number {
    return this.noted.length;
  }

  back(mark: number): void {
    for (const { counts, lanes } of this.noted.splice(mark)) {
      const map = lanes.mapTo(this.root.space);
      for (let lane = 0; lane < lanes.size; lane++) counts[map === null ? lane : map[lane]]--;
    }
  }
}

/** Whether lanes are on different sides of a conditional. */
function areDisjoint(a: LaneSpace, b: LaneSpace): boolean {
  let [one, other] = [a, b];
  while (one.depth > other.depth) one = one.parent!;
  while (other.depth > one.depth) other = other.parent!;
  if (one === other) return false;
  while (one.parent !== other.parent) [one, other] = [one.parent!, other.parent!];
  const condition = one.partition?.inputs[0];
  return condition !== undefined && other.partition?.inputs[0] === condition;
}
