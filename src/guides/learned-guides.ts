import type { Address } from '../runtime/address.ts';
import type { Distribution, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import type { DatumInView } from './datum-in-view.ts';
import { automaticGuides, followed, givenGuide, NoAutomaticGuide } from './guide-of.ts';

interface Made {
  readonly target: Distribution<unknown>;
  readonly guide: Distribution<unknown>;
  readonly params: ParameterTable;
  readonly version: number;
  /** The datum that the guide was computed from. */
  readonly datum: unknown;
}

/**
 * The guides of a program that can be used: those it gives, and automatic ones whose parameters have been learned. A
 * new automatic guide has learned nothing about the model, so that drawing from it would be worse than drawing from
 * the choice's own distribution.
 */
export class LearnedGuides {
  /** Choices whose automatic guide has not been learned, or does not exist. */
  private readonly unlearned = new Set<Address>();

  /** The last automatic guide of each choice, which later executions are likely to ask for again. */
  private readonly made = new Map<Address, Made>();

  /** The guide of a choice, or undefined if it is to be drawn from its own distribution. */
  of<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): Distribution<V> | undefined {
    if (options?.guide !== undefined) return givenGuide(target, options.guide, address, options.guideSamples);
    if (options?.noAutoGuide || automaticGuides.current === null || this.unlearned.has(address)) return undefined;
    const { params } = machine;
    const before = this.made.get(address);
    if (before?.params === params && before.version === params.currentVersion && before.datum === datumInView()) {
      if (automaticGuides.current.areAlike(before.target, target as Distribution<unknown>))
        return before.guide as Distribution<V>;
    }
    const known = params.size;
    const guide = automatic(target, address) as Distribution<unknown> | undefined;
    // A guide that depends on earlier choices differs between executions.
    if (followed(guide) !== undefined && params.size === known) return guide as Distribution<V>;
    if (guide !== undefined && params.size === known) {
      const version = params.currentVersion;
      this.made.set(address, { target: target as Distribution<unknown>, guide, params, version, datum: datumInView() });
      return guide as Distribution<V>;
    }
    params.forgetAfter(known);
    this.unlearned.add(address);
    return undefined;
  }
}

const datumInView = (): unknown => (machine.datum as DatumInView | null)?.datum;

function automatic<V>(target: Distribution<V>, address: Address): Distribution<V> | undefined {
  try {
    return automaticGuides.current?.make(target, address);
  } catch (thrown) {
    if (thrown instanceof NoAutomaticGuide) return undefined;
    throw thrown;
  }
}
