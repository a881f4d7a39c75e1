/** Gradients through the value: it is a differentiable transform of noise (the paper's set C). */
import { followed } from '../../guides/guide-of.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { Value } from '../../tensor/node.ts';
import { sub } from '../../tensor/ops.ts';
import type { SiteRule } from './rule.ts';

/** A guide that can be reparameterised: value = transform(noise). */
export interface Reparameterised extends Distribution<unknown> {
  base(): Distribution<unknown>;
  transform(noise: unknown): unknown;
  scoreOfNoise?(noise: unknown): Value;
}

export const pathwise: SiteRule = {
  name: 'pathwise',
  weighed: false,

  suits({ guide, options }) {
    const can = typeof (guide as Partial<Reparameterised>).transform === 'function';
    if (options?.reparam === true && !can) {
      throw new WaymarkError(
        `reparam: true asks for a pathwise gradient, which the guide ${guide.name} does not have.`,
      );
    }
    if (!can && guide.isContinuous && options?.reparam !== false) {
      machine.run.warn(
        `The guide ${guide.name} is continuous but cannot be reparameterised, so its gradients are noisy. ` +
          'A guide such as Gaussian, LogitNormal or IspNormal would do better.',
      );
    }
    return can && options?.reparam !== false;
  },

  refuse({ guide }) {
    if (typeof (guide as Partial<Reparameterised>).transform === 'function') return;
    throw new WaymarkError(
      `gradient: 'pathwise' needs a guide that is a transform of noise, which ${guide.name} is not.`,
    );
  },

  draw(site) {
    const guide = site.guide as Reparameterised;
    const noise = site.draw(guide.base());
    const value = guide.transform(noise);
    const logTarget = site.score(site.target, value);
    const logGuide = guide.scoreOfNoise?.(noise) ?? site.score(guide, value);
    // The rest of the gradient has mean zero, and is noise that does not end when the guide is right (Roeder, Wu & Duvenaud 2017).
    const own = site.policy.gradients === 'paper' ? undefined : followed(guide);
    if (!own?.settles) return { value, logTarget, logGuide };
    return { value, logTarget, logGuide, logFixedGuide: site.score(own.withoutGradient(), value) };
  },

  cost: ({ logGuide, logTarget }) => sub(logGuide, logTarget),
  loss: ({ logGuide, logFixedGuide, logTarget }) => sub(logFixedGuide ?? logGuide, logTarget),
};
