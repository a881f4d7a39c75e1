/** The methods of `Infer`, by name. What lives further up (`src/optimize/`) adds its own with `addMethod`. */
import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { Algorithm } from './algorithm.ts';
import { automatic } from './automatic.ts';
import { ais } from './chains/ais.ts';
import { incrementalMH } from './chains/incremental-mh.ts';
import { mcmc } from './chains/mcmc.ts';
import { enumerate } from './enumeration/enumerate.ts';
import { asyncPF } from './particles/async-pf.ts';
import { pmcmc } from './particles/pmcmc.ts';
import { smc } from './particles/smc.ts';
import { forward } from './sampling/forward.ts';
import { importance } from './sampling/importance.ts';
import { rejection } from './sampling/rejection.ts';

const methods = new Map<unknown, Algorithm<object>>();

/** Makes an algorithm available as a method of `Infer`, under its own name. */
export function addMethod<O extends object>(algorithm: Algorithm<O>): void {
  methods.set(algorithm.name, algorithm as Algorithm<object>);
}

for (const algorithm of [
  enumerate,
  rejection,
  mcmc,
  smc,
  incrementalMH,
  pmcmc,
  asyncPF,
  importance,
  forward,
  ais,
  automatic,
]) {
  addMethod(algorithm as Algorithm<object>);
}

/** Names that WebPPL uses for the automatic method, besides leaving the method out. */
const ALIASES = new Map<unknown, string>([['defaultInfer', 'automatic']]);

/** Known to WebPPL's users, and listed here until something in this build adds them. */
const EXPECTED: readonly string[] = ['optimize'];

/** The algorithm that `Infer({method: name})` means. */
export function methodNamed(name: unknown): Algorithm<object> {
  const algorithm = methods.get(name) ?? methods.get(ALIASES.get(name));
  if (algorithm !== undefined) return algorithm;
  const known = [...methods.values()].map((method) => method.name);
  if (typeof name !== 'string') {
    throw new WaymarkError(
      `Infer: method must be the name of a method (one of ${known.join(', ')}), got ${describe(name)}.`,
    );
  }
  if (EXPECTED.includes(name)) {
    throw new WaymarkError(`Infer: method '${name}' needs a program compiled for gradients. ${HOW_TO_COMPILE}`);
  }
  throw new WaymarkError(`Infer has no method '${name}'; it has ${known.join(', ')}.${didYouMean(name, known)}`);
}

/** The methods that have an option of this name. */
export function methodsWithOption(option: string): string[] {
  return [...methods.values()].filter(({ options }) => Object.hasOwn(options, option)).map(({ name }) => name);
}
