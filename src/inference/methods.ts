/** The methods of `Infer`, by name. What lives further up (`src/optimize/`) adds its own with `addMethod`. */
import type { MethodNames, Texts } from '../compiler/library-names.ts';
import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { Algorithm } from './algorithm.ts';
import { automatic } from './automatic.ts';
import { ais } from './chains/ais.ts';
import { incrementalMH } from './chains/incremental-mh.ts';
import { gradientKernelNames, KERNEL_OPTIONS, kernelNames } from './chains/kernel.ts';
import { mcmc } from './chains/mcmc.ts';
import { enumerate } from './enumeration/enumerate.ts';
import { asyncPF } from './particles/async-pf.ts';
import { pmcmc } from './particles/pmcmc.ts';
import { smc } from './particles/smc.ts';
import { forward } from './sampling/forward.ts';
import { importance } from './sampling/importance.ts';
import { rejection } from './sampling/rejection.ts';

/** The methods, in the order in which messages and the reference name them. Types and what the compiler is told follow from it. */
export const algorithms = {
  enumerate,
  rejection,
  MCMC: mcmc,
  SMC: smc,
  importance,
  forward,
  PMCMC: pmcmc,
  incrementalMH,
  asyncPF,
  AIS: ais,
  automatic,
};

/** Names that WebPPL uses for the automatic method, besides leaving the method out. */
const ALIASES = new Map<unknown, string>([['defaultInfer', 'automatic']]);

/** Methods that are there only if gradients are, with the texts that they need: samples are drawn from guides. */
const LATER: Readonly<Record<string, readonly (keyof Texts)[]>> = { optimize: ['lifted', 'columns'] };

const methods = new Map<unknown, Algorithm<object>>();
const texts = new Map<string, Texts>();

function noteTexts(name: string, names: readonly (keyof Texts)[] = []): void {
  const [lifted, columns, recording] = (['lifted', 'columns', 'recording'] as const).map((text) =>
    names.includes(text),
  );
  texts.set(name, { lifted, columns, recording });
}

/** Makes an algorithm available as a method of `Infer`, under its own name. */
export function addMethod<O extends object>(algorithm: Algorithm<O>): void {
  methods.set(algorithm.name, algorithm as Algorithm<object>);
  if (!Object.hasOwn(LATER, algorithm.name)) noteTexts(algorithm.name, algorithm.texts);
}

for (const algorithm of Object.values(algorithms)) addMethod(algorithm as Algorithm<object>);
for (const [name, names] of Object.entries(LATER)) noteTexts(name, names);
for (const [alias, name] of ALIASES) texts.set(String(alias), texts.get(name) as Texts);

/** What the compiler is told of methods and of options that matter for the texts of a program. */
export const methodNames: MethodNames = {
  texts,
  usual: 'automatic',
  withKernels: new Set(KERNEL_OPTIONS.flatMap(methodsWithOption)),
  kernelOptions: KERNEL_OPTIONS,
  gradientKernels: gradientKernelNames,
  guideOptions: new Map([
    ['guide', null],
    ['importance', 'autoGuide'],
  ]),
  countOptions: ['samples', 'particles'],
};

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
  if (Object.hasOwn(LATER, name)) {
    throw new WaymarkError(`Infer: method '${name}' needs a program compiled for gradients. ${HOW_TO_COMPILE}`);
  }
  const kernel = kernelNames.find((known) => known.toLowerCase() === name.toLowerCase());
  if (kernel !== undefined) {
    throw new WaymarkError(`Infer: ${kernel} is a kernel of MCMC. Write method: 'MCMC', kernel: '${kernel}'.`);
  }
  throw new WaymarkError(`Infer has no method '${name}'; it has ${known.join(', ')}.${didYouMean(name, known)}`);
}

/** The methods that have an option of this name. */
export function methodsWithOption(option: string): string[] {
  return [...methods.values()].filter(({ options }) => Object.hasOwn(options, option)).map(({ name }) => name);
}
