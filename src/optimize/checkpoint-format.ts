/** What a checkpoint file holds (`docs/parameters.md`), to and from the container. */
import type { Contents, NamedArray } from '../io/container.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { Identity } from './checkpoint-identity.ts';
import type { Memory } from './update-rules.ts';

/** An optimisation between two steps: with this, going on gives what going on would have given. */
export interface OptimizationState {
  /** Steps done, those skipped as bad among them. */
  readonly step: number;
  /** Whether it came to an end before its last step: because `onStep` said so, or at a plateau. */
  readonly stopped: boolean;
  readonly skipped: number;
  /** The objectives so far. */
  readonly history: readonly number[];
  readonly params: Readonly<Record<string, Tensor>>;
  /** What the optimiser remembers of each parameter. */
  readonly memories: ReadonlyMap<string, Memory>;
  /** What `stopAtPlateau` has seen; empty where it is not asked for. */
  readonly plateau: readonly number[];
  /** What the estimator remembers, by name: baselines. */
  readonly estimator: ReadonlyMap<string, number>;
}

export interface CheckpointContents {
  readonly identity: Identity;
  /** How many steps were asked for. */
  readonly steps: number;
  readonly state: OptimizationState;
}

export const CHECKPOINT = 'checkpoint';

interface Meta {
  readonly identity: Identity;
  readonly steps: number;
  readonly step: number;
  readonly stopped: boolean;
  readonly skipped: number;
  readonly estimator: readonly string[];
}

function isMeta(meta: unknown): meta is Meta {
  const { identity, steps, step, estimator } = (meta ?? {}) as Partial<Meta>;
  const numbers = [steps, step, identity?.seed, identity?.stream];
  return typeof identity?.settings === 'object' && numbers.every(Number.isFinite) && Array.isArray(estimator);
}

const list = (name: string, numbers: Iterable<number>): NamedArray => {
  const data = Float64Array.from(numbers);
  return { name, dims: [data.length], data };
};

export function encodeCheckpoint({ identity, steps, state }: CheckpointContents): Contents {
  const { step, stopped, skipped, history, params, memories, plateau, estimator } = state;
  const meta: Meta = { identity, steps, step, stopped, skipped, estimator: [...estimator.keys()] };
  const arrays: NamedArray[] = [
    list('history', history),
    list('plateau', plateau),
    list('estimator', estimator.values()),
  ];
  for (const [name, { dims, data }] of Object.entries(params)) arrays.push({ name: `parameter ${name}`, dims, data });
  for (const [name, memory] of memories) {
    for (const data of memory) arrays.push({ name: `memory ${name}`, dims: [data.length], data });
  }
  return { kind: CHECKPOINT, meta, arrays };
}

export function decodeCheckpoint({ meta, arrays }: Contents): CheckpointContents {
  if (!isMeta(meta)) throw new WaymarkError('The checkpoint does not say which optimisation it belongs to.');
  const { identity, steps, step, stopped, skipped, estimator: names } = meta;
  const lists = new Map<string, number[]>();
  const params: Record<string, Tensor> = {};
  const memories = new Map<string, Memory>();
  for (const { name, dims, data } of arrays) {
    const [, kind, of] = /^(parameter|memory) ([\s\S]*)$/.exec(name) ?? [];
    if (kind === 'parameter') params[of] = new Tensor([...dims], Float64Array.from(data));
    else if (kind === 'memory') memories.set(of, [...(memories.get(of) ?? []), data]);
    else lists.set(name, Array.from(data));
  }
  const listed = (name: string): number[] => lists.get(name) ?? [];
  const estimator = new Map(listed('estimator').map((number, i) => [names[i], number]));
  return {
    identity,
    steps,
    state: {
      step,
      stopped,
      skipped,
      history: listed('history'),
      params,
      memories,
      plateau: listed('plateau'),
      estimator,
    },
  };
}
