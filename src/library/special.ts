/** Special functions of a number, a tensor (entry by entry) or an array. Gradients pass through them. */
import { logit as logitOf } from '../tensor/special/exponentials.ts';
import { digamma as digammaOf, logGamma } from '../tensor/special/gamma.ts';
import { erf as erfOf, normalCdf } from '../tensor/special/normal.ts';
import { type Activation, activation } from './activations.ts';

/** The distribution function of the standard normal: P(Z ≤ x). */
export const Phi: Activation = activation('Phi', normalCdf);
/** The error function. */
export const erf: Activation = activation('erf', erfOf);
/** The logarithm of the gamma function: `lgamma(n + 1)` is log n!. */
export const lgamma: Activation = activation('lgamma', logGamma);
/** The slope of `lgamma`. */
export const digamma: Activation = activation('digamma', digammaOf);
/** The log-odds log(p / (1 − p)): undoes `sigmoid`. */
export const logit: Activation = activation('logit', logitOf);
