/** The ways of running, by what values that stand for many are in them. */
import { OPTIMISING, optimiseRows } from './optimising.ts';
import { SAMPLING, sampleRows } from './sampling.ts';

export type Family = 'columns' | 'recordings' | 'plain' | 'trajectories' | 'lanes' | 'graph';

export const FAMILIES: Readonly<Record<Family, readonly string[]>> = {
  columns: [
    ...['importance', 'SMC', 'forward', 'rejection', 'SMC, rejuvenated'],
    ...['forward, guided', 'importance, guided'],
  ],
  recordings: ['MH', 'MH', 'enumerate'],
  plain: ['importance, sequential', 'MH, sequential', 'enumerate, sequential', 'enumerate, likely first'],
  trajectories: ['NUTS', 'HMC', 'NUTS with discrete choices', 'NUTS, sequential'],
  lanes: [
    ...['Optimize, choices of data', 'Optimize, data'],
    ...['Optimize, choices of data, sequential', 'Optimize, data, sequential'],
  ],
  graph: ['Optimize, choices', 'Optimize, samples', 'Optimize, choices, sequential'],
};

/** What is wrong with a row in a way of running, if anything is. */
export async function wrongWith(code: string, way: string): Promise<string | undefined> {
  const [wrong] = await (way in SAMPLING ? sampleRows([code], SAMPLING[way]) : optimiseRows([code], OPTIMISING[way]));
  return wrong;
}
