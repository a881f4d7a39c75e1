/** A single operation made ready: a WebAssembly routine if there is one, else the reference kernel on device memory. */
import { elementwiseLoop } from '../elementwise/loops.ts';
import { SELECT, TO_F32, TO_F64 } from '../elementwise/table.ts';
import { bytesPerElement, type Data, type Operand } from '../node.ts';
import { LANE_MERGE } from '../ops/indexing.ts';
import { sizeOf } from '../shape.ts';
import { type Accelerated, inOrder, type Place, TABLE_WORDS } from '../wasm/accelerator.ts';
import type { WasmDevice } from '../wasm/device.ts';
import { type Move, moveOf } from '../wasm/moves.ts';
import { accelerators } from '../wasm/singles.ts';
import { MERGE_WORDS, type OpenLanes, type OpenRun, openCall } from './open-calls.ts';
import type { Value } from './program.ts';
import { rootOf } from './schedule.ts';
import type { NumberPlace, Walk } from './walk.ts';

export class CallStep {
  readonly kind = 'call';
  call: Accelerated = () => {};
  /** Writes the step into a walk. */
  write: (walk: Walk) => void = () => {};
  /** For operations that only move elements. */
  readonly move: Move | null;
  /** Words of device memory that it needs for itself. */
  get words(): number {
    const { op, inputs } = this.value;
    return op === LANE_MERGE ? Math.max(TABLE_WORDS, (MERGE_WORDS * inputs.length) / 2) : TABLE_WORDS;
  }

  /** Where the plan has put the offsets of the move. */
  offsetsAt = 0;

  constructor(
    private readonly device: WasmDevice,
    readonly value: Value,
  ) {
    const { op, inputs, shape, attributes, dtype } = value;
    const sameStorage = inputs.length === 1 && inputs[0].dtype === dtype && !value.isScalar && !inputs[0].isScalar;
    this.move = sameStorage ? moveOf(op, inputs[0].shape, shape, attributes) : null;
  }

  /** Fixes sizes and addresses; `table` is device memory for the routine's own use. */
  prepare(sizes: readonly number[], addressOf: (value: Value) => number, table: number, lanes: OpenLanes): void {
    const { value } = this;
    const isOpen = [value, ...value.inputs].some(({ space }) => space >= 0 && lanes.isOpen[space]);
    const prepared = (now: ArrayLike<number>): Accelerated => this.prepared(now, addressOf, table);
    const call = isOpen ? this.open(addressOf, lanes, table, prepared) : (this.oneNumber(addressOf) ?? prepared(sizes));
    this.call = typeof call === 'function' ? call : call.call;
    this.write = call.write ?? ((walk) => walk.host(this.call));
  }

  private open(
    addressOf: (value: Value) => number,
    lanes: OpenLanes,
    table: number,
    prepared: (now: ArrayLike<number>) => Accelerated,
  ): OpenRun {
    const { value, device, move } = this;
    if (move !== null) return this.movingOpen(move, addressOf, lanes);
    return openCall({ device, value, lanes, addressOf, table, prepared });
  }

  /** A view of one number that is stored elsewhere as an element than by itself; undefined for any other view. */
  private oneNumber(addressOf: (value: Value) => number): OpenRun | undefined {
    const { value, device } = this;
    const [input] = value.inputs;
    if (value.op.kind !== 'view' || value.space >= 0 || input.space >= 0 || sizeOf(value.shape) !== 1) return undefined;
    const placeOf = (one: Value): NumberPlace | undefined => {
      const dtype = one.isScalar ? 'f64' : one.dtype;
      return dtype === 'f64' || dtype === 'f32' ? { dtype, address: addressOf(one) } : undefined;
    };
    const [from, to] = [placeOf(input), placeOf(value)];
    if (from === undefined || to === undefined) return undefined;
    const viewOf = ({ dtype, address }: NumberPlace): Data =>
      device.memory.view(dtype).subarray(address / bytesPerElement[dtype]);
    const [source, target] = [viewOf(from), viewOf(to)];
    return {
      call() {
        target[0] = source[0];
      },
      write: (walk) => walk.put(from, to),
    };
  }

  private prepared(sizes: ArrayLike<number>, addressOf: (value: Value) => number, table: number): Accelerated {
    const { value, device } = this;
    const places = [value, ...value.inputs].map((one): Place => {
      const dims = one.space < 0 ? one.shape : [sizes[one.space], ...one.shape];
      return {
        address: addressOf(one),
        dtype: one.isScalar ? 'f64' : one.dtype,
        dims,
        lanes: one.space >= 0,
        mayBeSparse: mayBeSparse(one),
      };
    });
    const [out, ...inputs] = places;
    const fast = accelerators.get(value.op)?.(device, out, inputs, value.attributes, table) ?? null;
    if (fast !== null) return fast;
    return this.move === null ? this.reference(places) : this.moving(this.move, out, inputs[0]);
  }

  private moving({ kind, offsets }: Move, out: Place, input: Place): Accelerated {
    const bytes = bytesPerElement[out.dtype];
    const run = this.device.moves[`${kind}${bytes}`];
    const lanes = out.lanes ? out.dims[0] : 1;
    const fromStep = (sizeOf(input.dims) / lanes) * bytes;
    const toStep = (sizeOf(out.dims) / lanes) * bytes;
    const at = this.offsetsAt;
    const count = offsets.length;
    const { clear } = this.device.moves;
    const whole = sizeOf(out.dims) * bytes;
    const move = [run, lanes, at, count, input.address, fromStep, out.address, toStep] as const;
    return inOrder(kind === 'add' ? [[clear, out.address, whole], move] : [move], () => {
      if (kind === 'add') clear(out.address, whole);
      run(lanes, at, count, input.address, fromStep, out.address, toStep);
    });
  }

  /** The same for the number of lanes that the current run has found. */
  private movingOpen({ kind, offsets }: Move, addressOf: (value: Value) => number, { counts }: OpenLanes): OpenRun {
    const { value, device, offsetsAt } = this;
    const [input] = value.inputs;
    const bytes = bytesPerElement[value.dtype];
    const run = device.moves[`${kind}${bytes}`];
    const { clear } = device.moves;
    const [from, to, { space }] = [addressOf(input), addressOf(value), value];
    const fromStep = sizeOf(input.shape) * bytes;
    const toStep = sizeOf(value.shape) * bytes;
    const { length } = offsets;
    return {
      call() {
        const lanes = counts[space];
        if (lanes === 0) return;
        if (kind === 'add') clear(to, toStep * lanes);
        run(lanes, offsetsAt, length, from, fromStep, to, toStep);
      },
      write(walk) {
        walk.when(space, () => {
          if (kind === 'add') walk.clear(to, { base: 0, each: toStep, space });
          walk.call(run, [{ base: 0, each: 1, space }, offsetsAt, length, from, fromStep, to, toStep]);
        });
      },
    };
  }

  private reference(places: readonly Place[]): Accelerated {
    const [target, ...sources] = places.map(({ address, dtype, dims, lanes }): Operand => {
      const from = address / bytesPerElement[dtype];
      return { data: this.device.memory.view(dtype).subarray(from, from + sizeOf(dims)), dims, lanes };
    });
    const { op, attributes } = this.value;
    if (op.kind === 'elementwise') return () => elementwiseLoop(op, target, sources);
    if (op.kind === 'view') return () => target.data.set(sources[0].data);
    const kernel = op.kernel as NonNullable<typeof op.kernel>;
    return () => kernel(target, sources, attributes);
  }
}

/** Whether many elements of a value may be 0: an input with lanes, or draws of coins, perhaps in another precision or shape. */
function mayBeSparse(value: Value): boolean {
  const { source, space, dtype, op, inputs } = rootOf(value);
  if (source !== null) return space >= 0;
  if (op === SELECT) return inputs.slice(1).some(isZero);
  return dtype === 'bool' || ((op === TO_F32 || op === TO_F64) && mayBeSparse(inputs[0]));
}

const isZero = ({ source }: Value): boolean => source?.kind === 'baked' && source.data === 0;
