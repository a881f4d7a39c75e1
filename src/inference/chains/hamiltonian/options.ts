/** Options of the kernels that follow gradients; apart from the kernels, which are loaded only where gradients are. */
import { count, flag, type Option, type OptionTable, positiveNumber, withDefault } from '../../options.ts';

export interface HMCOptions {
  /** Leapfrog steps of a trajectory. */
  steps: number;
  stepSize: number;
}

export const hmcOptions: OptionTable<HMCOptions> = {
  steps: withDefault(count(1), 5),
  stepSize: withDefault(positiveNumber, 0.1),
};

export interface NUTSOptions {
  /** The step size to start from; found by trial if it is not given. */
  stepSize: number | undefined;
  /** Doublings of a trajectory, at most. */
  maxDepth: number;
  /** The mean acceptance that the step size is tuned to. */
  targetAcceptance: number;
  /** Whether step size and masses are tuned during the burn-in. */
  adapt: boolean;
}

const isShare = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < 1;

const share: Option<number> = {
  expected: 'a number between 0 and 1',
  read: (value) => (isShare(value) ? { value: value as number } : undefined),
};

export const nutsOptions: OptionTable<NUTSOptions> = {
  stepSize: withDefault<number | undefined>(positiveNumber, undefined),
  maxDepth: withDefault(count(1), 10),
  targetAcceptance: withDefault(share, 0.8),
  adapt: withDefault(flag, true),
};
