/** A program as the playground keeps it. */
import type { Language } from '../sandbox/protocol.ts';

export interface Program {
  readonly title: string;
  readonly code: string;
  readonly language: Language;
  readonly seed: number;
  /** The entry of the gallery that it began as: its data files are still there. */
  readonly from?: string;
}

export const SEEDS = 2 ** 32;

export const isSeed = (seed: unknown): seed is number =>
  typeof seed === 'number' && Number.isInteger(seed) && seed >= 0 && seed < SEEDS;

/** A program that came from outside, if it is one. */
export function programFrom(value: unknown): Program | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { title, code, language, seed, from } = value as Record<string, unknown>;
  if (typeof code !== 'string' || (language !== 'wppl' && language !== 'ts' && language !== 'js')) return undefined;
  return {
    title: typeof title === 'string' ? title.slice(0, 80) : 'Untitled',
    code,
    language,
    seed: isSeed(seed) ? seed : 1,
    ...(typeof from === 'string' ? { from } : {}),
  };
}

export const WELCOME: Program = {
  title: 'Which coin?',
  language: 'wppl',
  seed: 1,
  code: `// A bag holds fair coins and trick coins. One is drawn and tossed.
var tosses = [true, true, true, false, true, true];

var model = function() {
  var isTrick = flip(0.2);
  var weight = isTrick ? uniform(0.6, 1) : 0.5;
  mapData({data: tosses}, function(heads) {
    observe(Bernoulli({p: weight}), heads);
  });
  return {isTrick: isTrick, weight: weight};
};

var posterior = Infer({method: 'MCMC', samples: 5000, burn: 1000, model: model});

viz(marginalize(posterior, 'isTrick'));
viz(marginalize(posterior, 'weight'));
`,
};
