/**
 * Steps of training: dreams are made, a plan computes the objective of the network on them, and the parameters are
 * moved.
 */
import { POSITIONS } from './address-parts.ts';
import type { DataShape } from './data-shape.ts';
import { declareParameters } from './declare-parameters.ts';
import type { Dreams } from './dreams.ts';
import { feed } from './feed.ts';
import { onOneThread } from './one-thread.ts';
import { Pack, type Room } from './pack.ts';
import type { Parameters } from './parameters.ts';
import { type Evaluated, evaluatedByAll } from './shared-training.ts';
import type { Sites } from './sites.ts';
import type { NetworkSizes } from './sizes.ts';
import { type TrainingPlan, trainingPlan } from './training-graph.ts';

export class Trainer {
  private readonly room: Room = { points: false, lanes: 0, rows: 0, choiceKeys: 0, dataKeys: 0, tokens: [], heads: {} };
  private plan: TrainingPlan | null = null;
  private version = -1;

  constructor(
    private readonly parameters: Parameters,
    private readonly sizes: NetworkSizes,
    private readonly sites: Sites,
    private readonly shape: DataShape,
  ) {}

  /** One step: gives the objective, the mean of log guide over log prior of a dream's choices. */
  step(dreams: Dreams, stepSize: number, clip: number): number {
    const sizes = (): number[] => this.parameters.names.map((name) => this.parameters.get(name).length);
    const { value, gradients } = evaluatedByAll(dreams, (own) => this.evaluate(own), sizes, this.sites);
    if (gradients.length > 0) this.parameters.move(gradients, stepSize, clip);
    return dreams.objective ?? value;
  }

  /** The objective, and the gradient of its negative. */
  evaluate(dreams: Dreams): Evaluated {
    const pack = new Pack(dreams, this.shape);
    this.declare();
    const isWider = pack.widen(this.room);
    if (Object.values(this.room.heads).every((count) => !count)) return { value: 0, gradients: [] };
    const { parameters } = this;
    if (this.plan === null || isWider || this.version !== parameters.version) {
      this.plan = onOneThread(() => trainingPlan(parameters, this.sizes, this.room));
      this.version = parameters.version;
    }
    const arrays = feed(pack, this.room, this.sizes.heads > 0 ? this.sizes.attending : 0);
    const given = [
      ...parameters.names.map((name) => new Float32Array(parameters.get(name))),
      ...this.plan.inputs.map((name) => arrays.get(name)!),
    ];
    const { plan } = this.plan;
    const [loss, ...gradients] = onOneThread(() => plan.run(given));
    return { value: -(loss as number), gradients: gradients as ArrayLike<number>[] };
  }

  declare(): void {
    declareParameters(this.parameters, this.sizes, {
      sites: this.sites.all.length,
      signatures: this.shape.signatures.map(({ width }) => width),
      positions: POSITIONS,
    });
  }
}
