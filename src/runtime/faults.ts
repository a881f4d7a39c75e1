/**
 * Errors that come out of a way of running in which many executions run as one. Only signals lead to another way. Any other
 * error is suspect: the same is then done one by one, and if the program fails there too, it was the program's own, told in
 * its own words. If it does not fail, the engine was wrong: fatal where the engine is tested, and for users a warning that
 * names the place and asks for a report, since what was computed one by one stands.
 */

import { environment } from '../host/system.ts';
import { changedRun } from './changed-run.ts';
import { textOf, wordOf } from './error-words.ts';
import { WaymarkError } from './errors.ts';
import { during, machine, runsDirectly } from './machine.ts';
import { Reason } from './reasons.ts';
import { Diverged, EngineFault, isSignal, OneByOne } from './signals.ts';
import { isOwnThrow, isProgramError } from './throwing.ts';

const PARTED = new Reason('courses', 'they part');

/** Limits of V8, which are met sooner where many run as one. */
const LIMITS =
  /call stack|maximum size exceeded|allocation failed|could not (?:allocate|grow)|out of memory|invalid array length/i;

const isLimit = (thrown: unknown): boolean =>
  thrown instanceof RangeError && LIMITS.test(wordOf(thrown, 'message') ?? '');

/**
 * The reason why this way of running ended, given what was thrown; anything else is thrown on. Where more may be executed
 * than one by one (`ahead`), errors of the program say nothing of the engine.
 */
export function reasonOf(thrown: unknown, ahead = false): Reason {
  if (thrown instanceof OneByOne) return thrown;
  if (thrown instanceof Diverged) return PARTED;
  if (isSignal(thrown)) throw thrown;
  const message = thrown instanceof Error ? (wordOf(thrown, 'message') ?? '') : textOf(thrown);
  if (isLimit(thrown)) return new Reason('limit', `of a limit: ${message}`);
  if (!ahead || !isProgramError(thrown)) machine.suspects.push(thrown);
  return new Reason('failed', `one of them failed: ${message}`);
}

/**
 * Whether an error says only that something cannot be done with the values that were tried, which no execution may have: it is a signal, the
 * program's own, or one of V8's limits. Any other is the engine's.
 */
export const failsWithValues = (thrown: unknown): boolean =>
  isSignal(thrown) || isProgramError(thrown) || isLimit(thrown);

/** Does the same one by one. If this does not fail, the errors that were suspect before are the engine's. */
export function answerable<R>(work: () => R): R {
  const { suspects } = machine;
  const before = suspects.length;
  let result: R;
  try {
    result = work();
  } catch (thrown) {
    suspects.length = before;
    throw thrown;
  }
  if (suspects.length > before) for (const suspect of suspects.splice(before)) blame(suspect);
  return result;
}

/**
 * Does something in which many may run as one, within `answerable`. If it fails otherwise than programs do, it is done again
 * from its start, one by one, unless what it did before can be seen outside.
 */
export function recovering<R>(work: () => R, again = work): R {
  const { stream, address, program, run, suspects } = machine;
  if (!runsDirectly() || program.sideEffect !== null || !program.stateless || run.engine?.sequential) return work();
  const { position } = stream;
  const before = suspects.length;
  try {
    return work();
  } catch (thrown) {
    const isProgram = thrown instanceof WaymarkError || thrown instanceof RangeError || isOwnThrow(thrown);
    // (Where there are suspects, the same was done one by one already.)
    if (isSignal(thrown) || isProgram || suspects.length > before) throw thrown;
    suspects.push(thrown);
    stream.goTo(position);
    return during({ address, run: changedRun(run, { engine: { ...run.engine, sequential: true } }) }, again);
  }
}

/** Set where the engine is tested, to have its errors end the run. */
const SETTING = 'WAYMARK_ENGINE_ERRORS';
const areFatal = (): boolean => environment(SETTING) === 'fatal';

function blame(thrown: unknown): void {
  const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const place = thrown instanceof Error ? machine.run.here?.(thrown) : undefined;
  const where = place === undefined ? '' : ` at ${place}`;
  if (areFatal()) throw new EngineFault(`The engine failed${where}: ${error}`, { cause: thrown });
  machine.run.warn(
    `Waymark itself failed${where}, running many executions as one (${error}). They ran one by one instead, so that ` +
      'results are right, but slower. Please report this, with the program.',
  );
}
