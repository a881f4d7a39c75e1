/** Families that columns draw and score by loops of their own (`lanes/columns/families.ts`). */
export const KERNEL_FAMILIES = [
  'Gaussian',
  'Bernoulli',
  'Uniform',
  'Exponential',
  'RandomInteger',
  'Gamma',
  'InverseGamma',
  'Beta',
  'Poisson',
  'Binomial',
] as const;

/** Those whose choices are made so much sooner in columns that a program with no others is tried in them early. */
export const EVEN_FAMILIES: readonly KernelFamily[] = [
  'Gaussian',
  'Bernoulli',
  'Uniform',
  'Exponential',
  'RandomInteger',
];

export type KernelFamily = (typeof KERNEL_FAMILIES)[number];
