/** `--explain-batching`: which data passes ran side by side, whether steps were compiled, and why not. */
import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { placeOf } from '../runtime/places.ts';

export class BatchingReport {
  /** Passes that ran side by side, with the number of data and of groups they parted into. */
  private readonly together = new Map<Address, { data: number; groups: number }>();
  private compiled = 0;
  private recorded = 0;
  private obstacle: string | null = null;

  ran(address: Address, data: number, groups: number): void {
    this.together.set(address, { data, groups });
  }

  step(compiled: boolean, obstacle: string | null): void {
    if (compiled) this.compiled++;
    else this.recorded++;
    this.obstacle = obstacle ?? this.obstacle;
  }

  tell(oneByOne: ReadonlyMap<Address, string>): void {
    if (!machine.run.engine?.explainBatching) return;
    const rows: string[] = [];
    for (const [address, { data, groups }] of this.together) {
      if (oneByOne.has(address)) continue;
      const parts = groups === 1 ? '' : `, in ${groups} groups whose course differs`;
      rows.push(`  ${place(address)}: ${data === 1 ? 'one datum per step' : `${data} data side by side`}${parts}`);
    }
    for (const [address, reason] of oneByOne) rows.push(`  ${place(address)}: one by one, because ${reason}`);
    const why = this.obstacle === null ? '' : `, because ${this.obstacle}`;
    rows.push(
      `  steps: ${this.compiled} compiled, ${this.recorded} with the program run${this.recorded > 2 ? why : ''}`,
    );
    machine.run.warn(`How Optimize ran:\n${rows.join('\n')}`);
  }
}

const place = (address: Address): string => `mapData at ${placeOf(address) ?? address}`;
