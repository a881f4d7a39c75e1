import type { RandomStream } from '../../../runtime/random.ts';
import type { Leap, SampleColumn } from '../kernel.ts';
import type { Space } from './chain-space.ts';
import { Phase } from './density.ts';
import type { ProgramDensity } from './program-density.ts';
import type { Transitions } from './transitions.ts';

/** Steps of Hamiltonian Monte Carlo made many at a time, for a chain whose states in between are not read. */
export class StepsAhead<T> {
  /** Where the last of them led. */
  private readonly last: Phase;
  private made = 0;
  /** The steps that the chain has already made. */
  private past = 0;

  constructor(
    private readonly density: ProgramDensity<T>,
    private readonly transitions: Transitions,
    private readonly space: Space,
    private readonly random: RandomStream,
    /** Choices of the stream that a step counts as. */
    private readonly stride: number,
    /** Steps that will be asked for. */
    private left: number,
  ) {
    this.last = new Phase(space.layout.dimension);
    this.last.copyFrom(space.phase);
  }

  /** The next step; true if the chain accepted it. */
  step(): boolean {
    if (this.past === this.made) this.makeMore();
    return this.transitions.isAccepted(this.past++);
  }

  /** The next steps, as far as they are made at once: see `Kernel`. */
  leap(most: number, first: number, every: number, samples: SampleColumn<T>): Leap {
    if (this.past === this.made) this.makeMore();
    const { past, transitions, density } = this;
    const steps = Math.min(most, this.made - past);
    this.past += steps;
    let accepted = 0;
    for (let k = 0; k < steps; k++) if (transitions.isAccepted(past + k)) accepted++;
    const count = first < steps ? Math.ceil((steps - first) / every) : 0;
    density.readEach(transitions.numbers, transitions.visit(past + first), every * transitions.width, count, samples);
    return { steps, accepted };
  }

  private makeMore(): void {
    const { transitions, space, random, stride, last } = this;
    const count = Math.max(1, Math.min(this.left, transitions.most));
    const { key, stretch: epoch, position } = random;
    transitions.run(last, space.flow.inverseMass, count, { key, epoch, choice: position + 1, stride });
    random.goTo(position + stride * count);
    this.left -= count;
    this.made = count;
    this.past = 0;
  }

  /** What the program returns where the chain is, and the log-probability of its execution; null before the first step. */
  sample(): { value: T; score: number } | null {
    const { transitions, past, space, density } = this;
    if (past === 0) return null;
    const { numbers } = transitions;
    const at = transitions.visit(past - 1);
    return density.read(numbers, numbers[at + space.layout.dimension], at);
  }
}
