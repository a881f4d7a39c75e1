/** The checkpoint of an optimisation that several ranks make: the first reads and writes it, the others follow. */
import { decodeContainer, encodeContainer } from '../io/container.ts';
import { during, machine } from '../runtime/machine.ts';
import { currentTeam } from '../runtime/team.ts';
import { Checkpoint } from './checkpoint.ts';
import { decodeCheckpoint, encodeCheckpoint, type OptimizationState } from './checkpoint-format.ts';
import type { Identity } from './checkpoint-identity.ts';
import type { CheckpointOptions } from './checkpoint-options.ts';

/** What an optimisation sees of its checkpoint. */
export type CheckpointKeeper = Pick<Checkpoint, 'resumed' | 'close' | 'afterStep' | 'save' | 'words'>;

/** The checkpoint, for one process or for a rank. */
export function openCheckpoint(options: CheckpointOptions, identity: () => Identity, steps: number): CheckpointKeeper {
  machine.run.helpers?.writes?.();
  const team = currentTeam();
  if (team === undefined) return new Checkpoint(options, identity(), steps);
  if (team.rank > 0) return new Followed(stateIn(team.broadcast('open a checkpoint', undefined)));
  const own = identity();
  const checkpoint = during({ apart: true }, () => new Checkpoint(options, own, steps));
  const { resumed } = checkpoint;
  team.broadcast(
    'open a checkpoint',
    resumed === undefined
      ? new Uint8Array(0)
      : encodeContainer(encodeCheckpoint({ identity: own, steps, state: resumed })),
  );
  return checkpoint;
}

const stateIn = (bytes: Uint8Array): OptimizationState | undefined =>
  bytes.length === 0 ? undefined : decodeCheckpoint(decodeContainer(bytes)).state;

/** A checkpoint that another rank has. */
class Followed implements CheckpointKeeper {
  constructor(readonly resumed: OptimizationState | undefined) {}

  close(): void {}
  afterStep(): void {}
  save(): void {}

  words(): string {
    return 'The first rank has the checkpoint.';
  }
}
