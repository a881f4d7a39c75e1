/**
 * Under which conditions a checkpoint was written. What the objective depends on must be the same to go on, or the numbers
 * would be those of two different optimisations; what may change their last digits, or nothing, is said.
 */
import { hostVersion } from '../host/system.ts';
import { filesRead } from '../io/files-read.ts';
import { version } from '../io/version.ts';
import { machine } from '../runtime/machine.ts';
import { systemBlas } from '../tensor/blas.ts';
import { blasAllowed, currentDevice } from '../tensor/devices.ts';

export interface Conditions {
  readonly precision: string;
  /** Data files read before the optimisation began: what stands for their contents, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly device: string;
  /** Whether executions run one after the other. */
  readonly sequential: boolean;
  readonly args: readonly string[];
  readonly waymark: string;
  readonly node: string;
}

export function conditionsNow(): Conditions {
  const { engine = {}, args } = machine.run;
  return {
    precision: engine.precision ?? 'single',
    files: filesRead(),
    device: deviceInForce(),
    sequential: engine.sequential ?? false,
    args,
    waymark: version,
    node: hostVersion(),
  };
}

function deviceInForce(): string {
  const device = currentDevice();
  return device === 'wasm' && blasAllowed() && systemBlas() !== null ? 'blas' : device;
}

/** What keeps an optimisation from going on, in words that complete "… cannot go on from it:"; undefined if nothing does. */
export function refusedDifference(saved: Conditions, now: Conditions, anyFiles: boolean): string | undefined {
  if (saved.precision !== now.precision) {
    return (
      `it was written with --precision ${saved.precision}, and this run has ${now.precision}. ` +
      `Use --precision ${saved.precision}`
    );
  }
  if (anyFiles) return undefined;
  const changed = Object.keys({ ...saved.files, ...now.files }).find(
    (name) => own(saved.files, name) !== own(now.files, name),
  );
  if (changed === undefined) return undefined;
  const how =
    own(saved.files, changed) === undefined
      ? 'was not read when it was written'
      : own(now.files, changed) === undefined
        ? 'was read then, and not now'
        : 'has changed since';
  return (
    `the data file '${changed}' ${how}. If that makes no difference to the optimisation, write resume: 'anyway' into the ` +
    'option checkpoint'
  );
}

const own = (files: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(files, name) ? files[name] : undefined;

/** The remaining differences, in words; empty if there are none. */
export function saidDifferences(saved: Conditions, now: Conditions): string[] {
  const said: string[] = [];
  const compare = (what: string, before: string, after: string): void => {
    if (before !== after) said.push(`${what} ${before} and is ${after}`);
  };
  compare('the device was', saved.device, now.device);
  compare('the way of running was', wayOf(saved), wayOf(now));
  compare('the list of arguments was', textOf(saved.args), textOf(now.args));
  compare('Waymark was', saved.waymark, now.waymark);
  compare('Node was', saved.node, now.node);
  return said;
}

const wayOf = ({ sequential }: Conditions): string => (sequential ? '--sequential' : 'side by side');
const textOf = (args: readonly string[]): string => (args.length === 0 ? 'none' : `'${args.join(' ')}'`);
