/**
 * Chains of a program that may leave something behind (`ranks/alike.ts`) run on one core, unless ranks were asked for: every rank runs the whole
 * program, and only its author knows whether that may be. Where chains took long and cores were idle, the run says how to use them.
 */
import { processors, processorTime } from '../../host/system.ts';
import type { Entry } from '../../runtime/execution.ts';
import { machine } from '../../runtime/machine.ts';
import { placeOf } from '../../runtime/places.ts';
import { currentTeam } from '../../runtime/team.ts';

/** Milliseconds of the processor. What takes less is not waited for. */
const LONG = 5000;

/** What to say of so many chains that took so many milliseconds; nothing where other cores would not help, or not much. */
export function adviceOnCores(method: string, chains: number, milliseconds: number, cores: number): string | undefined {
  const ranks = Math.min(chains, cores);
  if (ranks < 2 || milliseconds < LONG) return undefined;
  const seconds = Math.round(milliseconds / 1000);
  return (
    `${method} ran ${chains} chains on one of ${cores} cores, which took ${seconds} s. With --ranks ${ranks} they share ${ranks} cores, ` +
    'and the samples are the same.'
  );
}

/** Runs chains, and says so if it would have been sooner done on several cores. */
export function watchingCores<R>({ address }: Entry, owner: string, chains: number, run: () => R): R {
  const { engine } = machine.run;
  if (!engine?.advises || currentTeam() !== undefined) return run();
  const start = processorTime();
  const result = run();
  const advice = adviceOnCores(
    `${owner} at ${placeOf(address) ?? address}`,
    chains,
    processorTime() - start,
    processors(),
  );
  if (advice !== undefined) machine.run.warn(advice);
  return result;
}
