import type { Address } from './address.ts';
import type { Handler } from './handler.ts';
import { machine, runsDirectly, type Store } from './machine.ts';
import { MemoLayer } from './memo.ts';
import type { ParameterTable } from './parameters.ts';
import { query } from './query.ts';
import type { RandomStream } from './random.ts';
import { abandon, OneByOne } from './signals.ts';

export { abandon, isSignal } from './signals.ts';

/** What `execute` returns for an execution that its handler gave up. */
export const abandoned: unique symbol = Symbol('abandoned');

/** Where the executions of one inference start: its address, and the store as it was when `Infer` was called. */
export class Entry {
  readonly address: Address = machine.address;
  private readonly store: Store = machine.store;
  private readonly memo: MemoLayer = machine.memo;
  private readonly stream: RandomStream = machine.stream;
  private readonly occurrence: number = machine.stream.occurrence();

  /** `params` are the parameters the executions see, by default those of the caller. */
  constructor(private readonly params: ParameterTable = machine.params) {}

  /** The random stream of the i-th execution (particle, sample, chain …), the same however they are run. */
  streamOf(i: number): RandomStream {
    return this.stream.child(this.occurrence, i);
  }

  /**
   * Executes the model once under the handler, from the start. What it writes to the store is gone afterwards,
   * and whatever happens inside, the machine is as it was. Returns the model's value, or `abandoned`.
   */
  execute<T>(handler: Handler, model: () => T, stream: RandomStream): T | typeof abandoned {
    const {
      address,
      base,
      handler: outerHandler,
      stream: outerStream,
      origin,
      store,
      memo,
      execution,
      effects,
      lifted,
      lanes,
    } = machine;
    if (lanes !== null) throw new OneByOne('each has an inference of its own');
    const outerParams = machine.params;
    machine.address = this.address;
    // Inside another inference, parameters keep the names they have in it.
    if (runsDirectly()) machine.base = this.address;
    machine.params = this.params;
    machine.handler = handler;
    machine.lifted = handler.lifted === true;
    machine.lanes = null;
    machine.stream = stream;
    machine.origin = stream;
    machine.store = { ...this.store };
    machine.memo = new MemoLayer(this.memo);
    machine.execution = ++machine.executions;
    try {
      const value = model();
      return value === query ? (query.table() as T) : value;
    } catch (thrown) {
      if (thrown === abandon) return abandoned;
      throw thrown;
    } finally {
      machine.address = address;
      machine.base = base;
      machine.params = outerParams;
      machine.handler = outerHandler;
      machine.lifted = lifted;
      machine.lanes = lanes;
      machine.stream = outerStream;
      machine.origin = origin;
      machine.store = store;
      machine.memo = memo;
      machine.execution = execution;
      machine.effects = effects;
    }
  }
}
