/** Inferences whose executions cannot run side by side, or be recorded, and how users are told. */
import type { Address } from '../runtime/address.ts';
import type { Entry } from '../runtime/execution.ts';
import { machine, type Run } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';

/** What went wrong at which call, so that it is not tried again. */
const failures = new WeakMap<Run, Map<Address['key'], string>>();

/** Remembers that it cannot be done with executions of the inference at this place. */
export function fail(entry: Entry, reason: string): void {
  let known = failures.get(machine.run);
  if (known === undefined) {
    known = new Map();
    failures.set(machine.run, known);
  }
  known.set(entry.address.key, reason);
}

/** Why it could not be done before, if that is so. */
export function failureOf(entry: Entry): string | undefined {
  return failures.get(machine.run)?.get(entry.address.key);
}

/** Why executions of the model of this inference cannot be recorded, as far as is known before; null if they may. */
export function recordingObstacle(entry: Entry): string | null {
  const { run, lifted, lanes, columns, hasRecordingText, noise } = machine;
  if (run.engine?.sequential) return 'that was asked for';
  if (!hasRecordingText) return 'the program was not compiled for recordings, since it does not name this method';
  if (lifted || lanes !== null || columns !== null) return 'it runs inside of others';
  if (noise !== null) return noise;
  return failureOf(entry) ?? null;
}

/** Says how the executions of an inference ran, if the user wants to know. */
export function explain({ address }: Pick<Entry, 'address'>, method: string, how: string): void {
  if (!machine.run.engine?.explainBatching) return;
  machine.run.warn(`How ${method} at ${placeOf(address) ?? address} ran: ${how}`);
}
