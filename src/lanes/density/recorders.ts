/**
 * How executions are recorded. Without a program's text for recordings there is nothing to record, so that this is loaded with
 * what reads that text: an app that only enumerates does not hold it.
 */
import { Later } from '../../runtime/late-module.ts';
import type { recordDensity } from './density.ts';
import type { recordPath } from './paths.ts';
import type { holdsRecorded, recordedDomain, valuesAmong } from './recorded.ts';

export const recorders: Later<{
  readonly density: typeof recordDensity;
  readonly path: typeof recordPath;
  /** Whether a value depends on choices, and a function of such values. */
  readonly holds: typeof holdsRecorded;
  readonly each: typeof recordedDomain.each;
  /** What a value may be that is no number, as far as that is known. */
  readonly among: typeof valuesAmong;
}> = new Later();
