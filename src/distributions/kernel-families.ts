/** Families that columns draw and score by loops of their own (`lanes/columns/families.ts`). */
export const KERNEL_FAMILIES = ['Gaussian', 'Bernoulli', 'Uniform', 'Exponential', 'RandomInteger'] as const;

export type KernelFamily = (typeof KERNEL_FAMILIES)[number];
