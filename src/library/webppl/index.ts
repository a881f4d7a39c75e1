/** Names of the library that only programs written for WebPPL need, a line per module. */
export { squishToProbSimplex } from '../activations.ts';
export { ad } from './ad.ts';
export { dists } from './dists.ts';
export * from './functions.ts';
export { numeric } from './numeric.ts';
export { util } from './util.ts';
