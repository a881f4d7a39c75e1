import type { Entry } from '../../../runtime/execution.ts';
import type { RandomStream } from '../../../runtime/random.ts';
import type { Chain } from '../chain.ts';
import { Layout } from './layout.ts';
import { ProgramDensity } from './program-density.ts';

/** Densities kept; with more combinations of discrete values, the one that was not needed for longest goes. */
const MOST_DENSITIES = 32;

/** The density of executions that share their structure and discrete values. */
export interface LocalDensity<T> {
  readonly layout: Layout;
  readonly factorLimit: number;
  readonly density: ProgramDensity<T>;
  readonly origin: RandomStream;
}

/** By the inference that chains belong to: what one of them has recorded serves the others too. */
const known = new WeakMap<Entry, Densities<unknown>>();

/** The densities that the chains of an inference have come to. */
export class Densities<T> {
  private readonly locals: LocalDensity<T>[] = [];

  static of<T>({ entry, model }: Chain<T>): Densities<T> {
    let densities = known.get(entry);
    if (densities?.model !== model) {
      densities = new Densities<unknown>(model);
      known.set(entry, densities);
    }
    return densities as Densities<T>;
  }

  private constructor(private readonly model: Chain<T>['model']) {}

  /** The density about the current execution of a chain. */
  around(chain: Chain<T>): LocalDensity<T> {
    const { locals } = this;
    const { current } = chain;
    const { factorLimit } = chain.reexecution;
    const origin = (): RandomStream => chain.nextOrigin().again();
    // An execution that draws on its own has a density of its own.
    if (!current.settled) return this.local(chain, origin());
    const place = locals.findIndex((local) => local.factorLimit === factorLimit && local.layout.fits(current));
    const local = place < 0 ? this.local(chain, origin()) : locals.splice(place, 1)[0];
    if (locals.length >= MOST_DENSITIES) locals.shift();
    locals.push(local);
    return local;
  }

  private local({ entry, model, current, reexecution }: Chain<T>, origin: RandomStream): LocalDensity<T> {
    const { factorLimit } = reexecution;
    const layout = new Layout(current);
    return { layout, factorLimit, density: new ProgramDensity(entry, model, layout, origin, factorLimit), origin };
  }
}
