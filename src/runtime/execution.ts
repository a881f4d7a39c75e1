import type { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import type { Handler } from './handler.ts';
import { machine, runsDirectly, type Store } from './machine.ts';
import { MemoLayer } from './memo.ts';
import type { ParameterTable } from './parameters.ts';
import { query } from './query.ts';
import type { RandomStream } from './random.ts';
import { isDirect, over, type RemainingCall } from './returning.ts';
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
   * Executes the model once under the handler, from the start, or from what was left of an earlier execution. What it
   * writes to the store is gone afterwards, and whatever happens inside, the machine is as it was. Returns the model's
   * value, or `abandoned`.
   */
  execute<T>(
    handler: Handler,
    model: () => T,
    stream: RandomStream,
    from: RemainingCall | null = null,
  ): T | typeof abandoned {
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
    const start = from === null ? this.address : from.address;
    machine.address = start;
    machine.top = handler.returns === true && handler.lifted !== true && isDirect(model) ? start : null;
    // Inside another inference, parameters keep the names they have in it.
    if (runsDirectly()) machine.base = this.address;
    machine.params = this.params;
    machine.handler = handler;
    machine.lifted = handler.lifted === true;
    machine.lanes = null;
    machine.stream = stream;
    machine.origin = stream;
    machine.store = { ...this.store };
    machine.memo = new MemoLayer(from === null ? this.memo : from.memo);
    machine.execution = ++machine.executions;
    try {
      let value: unknown = from === null ? model() : from.make();
      if (value === over) value = proceed(handler);
      return (value === query ? query.table() : value) as T | typeof abandoned;
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
      machine.top = null;
      machine.returns = false;
    }
  }
}

/** No execution of a real model makes as many calls in return position; one that does is caught in a loop. */
const ENDLESS = 1_000_000;

/** Goes on after `over`: gives up, or makes the calls handed over. */
function proceed(handler: Handler): unknown {
  for (let calls = 0; calls < ENDLESS; calls++) {
    const { call } = machine;
    if (call === null) return abandoned;
    machine.call = null;
    machine.address = call.address;
    machine.top = call.address;
    if (!handler.reaches!(call)) return abandoned;
    const value = call.make();
    if (value !== over) return value;
  }
  throw new WaymarkError(
    `${handler.name}: an execution made ${ENDLESS} calls in return position without ending. A function of the program ` +
      'seems to call itself for ever.',
  );
}
