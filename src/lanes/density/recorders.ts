/**
 * How executions are recorded. Without a program's text for recordings there is nothing to record, so that this is loaded with
 * what reads that text: an app that only enumerates does not hold it.
 */
import { Later } from '../../runtime/late-module.ts';
import type { recordDensity } from './density.ts';
import type { recordPath } from './paths.ts';

export const recorders: Later<{
  readonly density: typeof recordDensity;
  readonly path: typeof recordPath;
}> = new Later();
