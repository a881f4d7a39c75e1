import { followed } from '../../guides/guide-of.ts';
import { LearnedGuides } from '../../guides/learned-guides.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { givenUp } from '../../runtime/signals.ts';
import { infiniteFactor } from '../chains/reexecution.ts';

/**
 * Draws an execution from the guide program (section 5 of the paper): choices with a guide from that, others from
 * automatic guides as far as these have been learned, and the rest from their own distributions.
 */
export class GuidedDraw implements Handler {
  readonly guided = true;
  readonly synthesises = true;
  /** Log-probability of the choices under what they were drawn from. */
  choiceScore = 0;
  /** Log of the importance weight: of choices and factors in the model, over the choices in the guide. */
  factorScore = 0;
  private readonly guides = new LearnedGuides();

  constructor(readonly name: string) {}

  /** Gets ready for the next execution. */
  begin(): void {
    this.choiceScore = 0;
    this.factorScore = 0;
  }

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const address = given.choice(machine.execution);
    // (Guides may draw choices of their own before.)
    const guide = this.guides.of(target, options, address) ?? target;
    const value = guide.draw(machine.stream.begin());
    const score = guide.score(value);
    followed(guide)?.chosen(value);
    this.choiceScore += score;
    if (guide !== target) this.weigh(target.score(value) - score);
    return value;
  }

  factor(score: number): void {
    this.weigh(score);
  }

  protected weigh(score: number): void {
    this.factorScore += score;
  }
}

/** The same, giving up what turns out impossible. */
export class GuidedWeighing extends GuidedDraw {
  protected override weigh(score: number): void {
    if (score === -Infinity) throw givenUp();
    if (score === Infinity) throw infiniteFactor();
    super.weigh(score);
  }
}
