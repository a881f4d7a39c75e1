import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import type { Lanes } from './lanes.ts';
import { LaneStore } from './store.ts';
import { asStream } from './streams.ts';

/** The state of the machine before lanes began, to be restored. */
export class Surroundings {
  private readonly stream = machine.stream;
  private readonly address = machine.address;
  private readonly store = machine.store;
  private readonly memo = machine.memo;
  private readonly preceding = machine.preceding;
  private readonly execution = machine.execution;
  private readonly run = machine.run;
  private readonly lanes = machine.lanes;

  /** Lanes begin. Gives the store they write to. */
  enter(lanes: Lanes, address: Address): LaneStore {
    machine.lanes = lanes;
    machine.preceding = this.preceding;
    machine.stream = asStream(lanes.streams);
    machine.address = address;
    // Each group is an execution of its own: marks that another group left at an address do not count, and variables
    // declared before it are not its own.
    machine.execution = ++machine.executions;
    const laneStore = new LaneStore(this.store);
    machine.store = laneStore.store;
    return laneStore;
  }

  leave(): void {
    machine.stream = this.stream;
    machine.address = this.address;
    machine.store = this.store;
    machine.memo = this.memo;
    machine.preceding = this.preceding;
    machine.execution = this.execution;
    machine.run = this.run;
    machine.lanes = this.lanes;
  }
}
