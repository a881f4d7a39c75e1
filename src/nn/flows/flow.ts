import { BaseDistribution } from '../../distributions/distribution.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { Random } from '../../runtime/random.ts';
import type { Node, Value } from '../../tensor/node.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { asTensor, engine, lengthOf } from '../engine.ts';
import type { FlowLayer } from './flow-layer.ts';

/** What `Flow` takes. */
export interface FlowParams {
  /** Where it starts: a distribution of vectors that can be reparameterised, such as `DiagCovGaussian`. */
  base: Distribution<Tensor>;
  /** What it goes through, one after the other. */
  layers: readonly FlowLayer[];
}

interface Reparameterised extends Distribution<Tensor> {
  base(): Distribution<unknown>;
  transform(noise: unknown): Value;
}

class FlowDistribution extends BaseDistribution<Tensor> {
  override readonly name = 'Flow';
  override readonly isContinuous = true;

  constructor(override readonly params: FlowParams) {
    super();
  }

  override draw(random: Random): Tensor {
    return this.along(this.params.base.draw(random) as unknown as Value).value as Tensor;
  }

  override score(value: Tensor): number {
    const { sub } = engine();
    const { base, layers } = this.params;
    let at = this.fitting(value);
    let stretch: Value = 0;
    for (const layer of [...layers].reverse()) {
      const { value: before, logStretch } = layer.inverse(at);
      at = before;
      stretch = engine().add(stretch, logStretch);
    }
    return sub(base.score(at as Tensor), stretch) as number;
  }

  /** The noise that it is made of. */
  base(): Distribution<unknown> {
    return (this.params.base as Reparameterised).base();
  }

  transform(noise: unknown): unknown {
    return this.along(this.start(noise)).value;
  }

  /** What noise becomes before the first layer. A base whose parameters are known has no meaning in the graph of its own. */
  private start(noise: unknown): Value {
    const { base } = this.params;
    const { mu, sigma } = base.params as { mu?: Value; sigma?: Value };
    if (!['DiagCovGaussian', 'TensorGaussian'].includes(base.name)) return (base as Reparameterised).transform(noise);
    const { add, mul } = engine();
    const vector = (of: Value): Value => (typeof of === 'number' ? of : asVector(of));
    return add(vector(mu!), mul(vector(sigma!), asVector(noise)));
  }

  /** The score of what noise becomes, without the way back. */
  scoreOfNoise(noise: unknown): Value {
    const start = this.start(noise);
    return engine().sub(this.params.base.score(start as Tensor), this.along(start).stretch);
  }

  /** As a vector, which layers can move. */
  private fitting(x: unknown): Value {
    const vector = asVector(x);
    const length = lengthOf(vector as never);
    const bad = this.params.layers.findIndex((layer) => layer.size !== length);
    if (bad < 0) return vector;
    throw new WaymarkError(
      `Flow: layer ${bad} moves vectors of length ${this.params.layers[bad].size}, and those of the base have length ${length}. Give both the same size.`,
    );
  }

  private along(start: Value): { value: Value; stretch: Value } {
    let value = this.fitting(start);
    let stretch: Value = 0;
    for (const layer of this.params.layers) {
      const moved = layer.forward(value);
      value = moved.value;
      stretch = engine().add(stretch, moved.logStretch);
    }
    return { value, stretch };
  }
}

/** As a vector of dims [n, 1]. */
function asVector(x: unknown): Value {
  const tensor = asTensor('Flow', x);
  return engine().reshape(tensor as Node, [lengthOf(tensor), 1]) as Value;
}

/**
 * Vectors that are drawn from a simple distribution and sent through layers that bend space (a normalising flow): a guide that can be
 * as crooked as the posterior is.
 *
 *     const guide = () => Flow({
 *       base: DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}),
 *       layers: [coupling('c1', {size: 2, kind: 'spline'}), coupling('c2', {size: 2, kind: 'spline', flip: true})],
 *     });
 *     const model = () => {
 *       const z = sample(DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}), {guide});
 *       factor(-Math.pow(T.get(z, 1) - T.get(z, 0) * T.get(z, 0), 2));
 *     };
 *     Optimize(model, {steps: 10});
 */
export function Flow(params: FlowParams): Distribution<Tensor> {
  const { base, layers } = (params ?? {}) as Partial<FlowParams>;
  if (!isDistribution(base) || typeof (base as Partial<Reparameterised>).transform !== 'function') {
    throw new WaymarkError(
      `Flow: base must be a distribution of vectors that can be reparameterised, such as DiagCovGaussian; got ${describe(base)}.`,
    );
  }
  const isLayer = (layer: unknown): boolean => typeof (layer as Partial<FlowLayer> | null)?.forward === 'function';
  if (!Array.isArray(layers) || !layers.every(isLayer)) {
    const bad = Array.isArray(layers) ? layers.findIndex((layer) => !isLayer(layer)) : -1;
    const got = bad < 0 ? describe(layers) : `${describe(layers![bad])} at index ${bad}`;
    throw new WaymarkError(`Flow: layers must be an array of layers such as coupling('name', {size: 2}), got ${got}.`);
  }
  return new FlowDistribution({ base: base as Distribution<Tensor>, layers });
}
