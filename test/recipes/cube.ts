/** A function that the library does not have, in arithmetic: the build makes its meaning in the graph of the same text. */
export const cubeOf = (x: number): number => (x > 0 ? x * x * x : Math.sin(x));
