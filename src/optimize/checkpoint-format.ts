/** What a checkpoint file holds (`docs/parameters.md`), to and from the container. */
import type { Contents, NamedArray } from '../io/container.ts';
import { Tensor } from '../tensor/tensor.ts';
import {
  checkComplete,
  checkedMeta,
  checkFinite,
  checkList,
  checkMemory,
  checkParameter,
  type Meta,
} from './checkpoint-checks.ts';
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

const list = (name: string, numbers: Iterable<number>): NamedArray => {
  const data = Float64Array.from(numbers);
  return { name, dims: [data.length], data };
};

export function encodeCheckpoint({ identity, steps, state }: CheckpointContents): Contents {
  const { step, stopped, skipped, history, params, memories, plateau, estimator } = state;
  const meta: Meta = {
    identity,
    steps,
    step,
    stopped,
    skipped,
    estimator: [...estimator.keys()],
    parameters: Object.keys(params),
    moved: [...memories.keys()],
  };
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

/** Throws where the contents are not what `encodeCheckpoint` makes: the checksum only says that they are as they were written. */
export function decodeCheckpoint({ meta: given, arrays }: Contents): CheckpointContents {
  const meta = checkedMeta(given);
  const { identity, steps, step, stopped, skipped, estimator: names } = meta;
  const lists = new Map<string, number[]>();
  const params = new Map<string, Tensor>();
  const memories = new Map<string, Memory>(meta.moved.map((name) => [name, []]));
  for (const array of arrays) {
    const { name, dims, data } = array;
    const [, kind, of] = /^(parameter|memory) ([\s\S]*)$/.exec(name) ?? [];
    checkFinite(name, data);
    if (kind === undefined) {
      checkList(array, lists.has(name));
      lists.set(name, Array.from(data));
    } else if (kind === 'parameter') {
      checkParameter(of, meta, params.has(of));
      params.set(of, new Tensor([...dims], Float64Array.from(data)));
    } else {
      checkMemory(of, meta);
      memories.set(of, [...(memories.get(of) as Memory), data]);
    }
  }
  checkComplete(meta, lists, params, memories);
  const listed = (name: string): number[] => lists.get(name) as number[];
  return {
    identity,
    steps,
    state: {
      step,
      stopped,
      skipped,
      history: listed('history'),
      params: Object.fromEntries(params),
      memories,
      plateau: listed('plateau'),
      estimator: new Map(listed('estimator').map((number, i) => [names[i], number])),
    },
  };
}
