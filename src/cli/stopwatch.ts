import { now as clock } from '../host/system.ts';

interface Lap {
  readonly name: string;
  readonly wall: number;
  readonly cpu: number;
}

/** Measures the phases of a run, on the clock and in CPU time of all threads. */
export class Stopwatch {
  private readonly laps: Lap[] = [];
  private clock = clock();
  private usage = process.cpuUsage();

  /** Ends the phase that started with the last lap. */
  lap(name: string): void {
    const { user, system } = process.cpuUsage(this.usage);
    const now = clock();
    this.laps.push({ name, wall: now - this.clock, cpu: (user + system) / 1000 });
    this.clock = clock();
    this.usage = process.cpuUsage();
  }

  /** One line per phase, and one for the process so far: loading what the phases need takes time, too. */
  report(): string {
    const { user, system } = process.cpuUsage();
    const lines = this.laps.map(
      ({ name, wall, cpu }) => `${name}: ${wall.toFixed(1)} ms, ${cpu.toFixed(1)} ms of CPU\n`,
    );
    return `${lines.join('')}the whole process: ${((user + system) / 1000).toFixed(1)} ms of CPU\n`;
  }
}
