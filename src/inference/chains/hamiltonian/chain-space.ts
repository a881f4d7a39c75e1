import { machine } from '../../../runtime/machine.ts';
import { Reason } from '../../../runtime/reasons.ts';
import type { Chain } from '../chain.ts';
import type { KernelWay } from '../kernel.ts';
import type { Trace } from '../trace.ts';
import { Densities, type LocalDensity } from './densities.ts';
import { Flow, type LogDensity, Phase } from './density.ts';
import type { Layout } from './layout.ts';
import { Placement } from './placement.ts';
import type { ProgramDensity } from './program-density.ts';

const NOTHING_CONTINUOUS = new Reason('method', 'there is no continuous choice');
const RETURNS_MORE = new Reason('value', 'the program has to be executed to know what it returns');
const HAS_DISCRETE = new Reason('choices', 'there are discrete choices');

/** A space of continuous choices, and what is tuned to it, whatever the discrete choices are. */
export class Space {
  readonly flow: Flow;
  /** Where the chain is. */
  readonly phase: Phase;
  /** Where a trajectory led. */
  readonly next: Phase;
  density!: LogDensity;

  constructor(readonly layout: Layout) {
    const { dimension } = layout;
    const current: LogDensity = {
      dimension,
      evaluate: (position, gradient) => this.density.evaluate(position, gradient),
      travel: (z, inverseMass, step, count) => this.density.travel?.(z, inverseMass, step, count) === true,
    };
    this.flow = new Flow(current, new Float64Array(dimension).fill(1));
    this.phase = new Phase(dimension);
    this.next = new Phase(dimension);
  }
}

/** Where the trajectories of a chain run: finds the density about its current execution, and moves the chain there. */
export class ChainSpace<T> {
  private readonly densities: Densities<T>;
  private readonly spaces: Space[] = [];
  private readonly placement: Placement<T>;
  private local: LocalDensity<T> | null = null;
  /** That of the local density. */
  private space!: Space;
  /** The fill of the chain's trace that `local` and the phase of its space belong to. */
  private revision = -1;
  /** Whether the chain's trace is left behind: it is not read, and samples can be read without it. */
  private lean = false;
  private sparing = false;

  constructor(private readonly chain: Chain<T>) {
    this.placement = new Placement(chain.entry, chain.model);
    this.densities = Densities.of(chain);
  }

  /** The chain's trace is not read: spares executions from the first step on, if that is possible. */
  spareExecutions(): void {
    this.sparing = true;
  }

  /** The value and score of the execution the chain is at; null if they are those of its trace. */
  read(): { value: T; score: number } | null {
    if (!this.lean || this.local === null) return null;
    const { space } = this;
    const { density, layout, origin, factorLimit } = this.local;
    const { position, logDensity } = space.phase;
    const known = density.read(position, logDensity);
    if (known !== null) return known;
    // Another branch than the one at the start returns something that has to be executed for.
    const { candidate } = this.chain;
    if (!this.placement.run(layout, position, candidate, origin.again(), factorLimit)) return null;
    return { value: candidate.value as T, score: candidate.score };
  }

  /** The space about the chain's current execution, its phase there. Null if there is no continuous choice. */
  enter(): Space | null {
    const { current } = this.chain;
    if (this.local === null || current.revision !== this.revision) {
      const local = this.densities.around(this.chain);
      const { layout } = local;
      const space = this.spaceFor(layout);
      this.local = local;
      this.space = space;
      this.revision = current.revision;
      space.density = local.density;
      layout.locate(current, space.phase.position);
      if (layout.dimension > 0) {
        space.phase.logDensity = local.density.evaluate(space.phase.position, space.phase.gradient);
        if (!Number.isFinite(space.phase.logDensity)) warnOfNoDensity(space.phase.logDensity);
      }
    }
    const { space } = this;
    const { layout, density } = this.local;
    if (layout.dimension === 0) return null;
    if (this.sparing) {
      this.sparing = false;
      this.lean = this.isContinuous && density.isReadable(space.phase.position);
    }
    return space;
  }

  /** Whether all choices about the chain's current execution are continuous. */
  get isContinuous(): boolean {
    return this.local?.layout.sites.every((site) => site.continuous) === true;
  }

  /** Where executions are in the space entered last, those that belong there. */
  positionsOf(executions: readonly Trace<T>[]): Float64Array[] {
    const { layout } = this.local as LocalDensity<T>;
    return executions
      .filter((execution) => layout.fits(execution))
      .map((execution) => {
        const position = new Float64Array(layout.dimension);
        layout.locate(execution, position);
        return position;
      });
  }

  /** The density that all trajectories of the chain run in, or why there may be others. */
  get only(): ProgramDensity<T> | Reason {
    const { local } = this;
    if (local === null || local.layout.dimension === 0) return NOTHING_CONTINUOUS;
    if (this.lean) return local.density;
    return this.isContinuous ? RETURNS_MORE : HAS_DISCRETE;
  }

  /** How trajectories of the chain ran; `ahead` if many steps were made in one call of compiled code. */
  way(ahead: boolean): KernelWay {
    const { local, only } = this;
    if (local === null || local.layout.dimension === 0) {
      return { how: NOTHING_CONTINUOUS, text: 'there is no continuous choice, and so no trajectory.' };
    }
    const { how, text } = local.density.way;
    const together = ahead ? ', many steps at a time' : '';
    const executed = only instanceof Reason ? `; the model is executed after each of them, because ${only}` : '';
    return { how, but: only instanceof Reason ? only : undefined, text: `${text}${together}${executed}.` };
  }

  /** Moves the chain to where the trajectory led. False if no execution is there, by rounding at the end of a support. */
  move(): boolean {
    const { chain, space } = this;
    const { layout, origin, factorLimit } = this.local as LocalDensity<T>;
    if (this.lean) {
      space.phase.copyFrom(space.next);
      return true;
    }
    if (!this.placement.run(layout, space.next.position, chain.candidate, origin.again(), factorLimit)) return false;
    chain.accept();
    space.phase.copyFrom(space.next);
    this.revision = chain.current.revision;
    return true;
  }

  /** Moves the chain to a point of its space. False if no execution is there. */
  moveTo(position: Float64Array): boolean {
    const { next, density } = this.space;
    next.position.set(position);
    next.logDensity = density.evaluate(next.position, next.gradient);
    return this.move();
  }

  private spaceFor(layout: Layout): Space {
    let space = this.spaces.find((known) => known.layout.sharesSpaceWith(layout));
    if (space === undefined) {
      space = new Space(layout);
      this.spaces.push(space);
    }
    return space;
  }
}

function warnOfNoDensity(found: number): void {
  machine.run.warn(
    `The execution that a trajectory was to start from has the log-density ${found} as recorded for gradients, though it ` +
      'is possible; the chain stays where it is. A value may be at the very end of its support, or a score may not be ' +
      'finite there.',
  );
}
