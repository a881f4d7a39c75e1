/** Inferences whose executions cannot run side by side, or be recorded, and how users are told. */
import { once } from '../compiler/once.ts';
import type { Address } from '../runtime/address.ts';
import { costLine } from '../runtime/costs.ts';
import type { Entry } from '../runtime/execution.ts';
import { machine, type Run } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';
import { asksHow, Reason, type Way } from '../runtime/reasons.ts';
import { helpFor } from '../runtime/remedies.ts';

/** The reasons by call, so that what failed is not tried again. */
const failuresIn = once((_run: Run) => new Map<Address['key'], Reason>());

/** Remembers why executions of the inference at this place cannot run side by side, or cannot be recorded. */
export function fail(entry: Pick<Entry, 'address'>, reason: Reason): void {
  failuresIn(machine.run).set(entry.address.key, reason);
}

/** The reason why it failed before, if it did. */
export function failureOf(entry: Pick<Entry, 'address'>): Reason | undefined {
  return failuresIn(machine.run).get(entry.address.key);
}

export const ASKED = new Reason('asked', 'that was asked for');
export const NO_WEBASSEMBLY = new Reason('engine', 'there is no WebAssembly, or the page forbids it');
const NO_RECORDINGS = new Reason(
  'text',
  'the program was not compiled for recordings, since it does not seem to use this method',
);
export const INSIDE = new Reason('inside', 'it runs inside an inference that itself runs many as one');

/** Why executions of the model of this inference cannot be recorded, as far as is known before; null if they may. */
export function recordingObstacle(entry: Entry): Reason | null {
  const { run, lifted, lanes, columns } = machine;
  const { hasRecordingText, sideEffect, lasting = sideEffect } = machine.program;
  if (run.engine?.sequential) return ASKED;
  if (!hasRecordingText) return NO_RECORDINGS;
  if (lifted || lanes !== null || columns !== null) return INSIDE;
  if (lasting !== null) return lasting;
  return failureOf(entry) ?? null;
}

/**
 * Reports how the executions of an inference ran, if the user wants to know. `how` is a way, or the reason why there
 * was none; `but` is the reason why a part of the inference ran otherwise. `cost` says how many times as long it takes one by one.
 */
export function explain(
  { address }: Pick<Entry, 'address'>,
  method: string,
  how: Way | Reason,
  text: string,
  { but, cost }: { readonly but?: Reason; readonly cost?: number } = {},
): void {
  const { run } = machine;
  if (!asksHow(run)) return;
  const place = placeOf(address) ?? String(address);
  // A reason whose place is the call itself need not name the place twice.
  const message = `How ${method} at ${place} ran: ${text.replace(` (${place})`, '')}`;
  const code = how instanceof Reason ? how.code : undefined;
  if (run.engine?.explainBatching) run.warn(message + costLine(code, cost) + helpFor(code));
  tell({ address }, method, how, message, { but, cost });
}

/** The same, but noted in `Run.conduct` alone and not printed: this is what users expect anyway. */
export function tell(
  { address }: Pick<Entry, 'address'>,
  method: string,
  how: Way | Reason,
  message: string,
  { but, cost }: { readonly but?: Reason; readonly cost?: number } = {},
): void {
  const { run } = machine;
  if (run.conduct === undefined) return;
  const why = how instanceof Reason ? how : but;
  const way = how instanceof Reason ? 'one by one' : how;
  const place = placeOf(address) ?? String(address);
  run.conduct({
    place,
    method,
    way,
    code: why?.code,
    reason: why?.from(place),
    message,
    ...(cost !== undefined && { cost }),
  });
}

const NO_OTHER = new Reason('method', 'the method has no other way');

/** Runs an inference; if it has not told how it ran, it ran one by one. */
export function telling<R>(method: string, infer: () => R): R {
  const { run, address } = machine;
  const { conduct } = run;
  if (conduct === undefined) return infer();
  const place = placeOf(address) ?? String(address);
  let told = false;
  run.conduct = (how) => {
    told ||= how.place === place;
    conduct(how);
  };
  try {
    const result = infer();
    if (!told) tell({ address }, method, NO_OTHER, NO_OTHER.text);
    return result;
  } finally {
    run.conduct = conduct;
  }
}

/** A recording must give the results of the execution it was made of: if they differ, it is not used. */
export const UNFAITHFUL = new Reason('choices', 'the recording does not give what the execution gave');

export const OTHER_WAYS = new Reason('courses', 'it often goes another way');

/** If more than one step or path in so many has to be executed, recordings do not pay. The first few do not count. */
export const RARELY = 8;
const FEW = 16;

/** Whether the program has to be executed too often all the same, for so many steps or paths that were computed. */
export const straysOften = (executed: number, computed: number): boolean =>
  executed > FEW && executed * RARELY > computed;
