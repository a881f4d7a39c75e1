import type { Kernel } from '../node.ts';

export const laneGatherKernel: Kernel = (out, [from, map]) => {
  const width = out.data.length / out.dims[0];
  const target = out.data;
  const source = from.data;
  const index = map.data;
  if (width === 1) {
    for (let i = 0; i < index.length; i++) target[i] = source[index[i]];
    return;
  }
  for (let i = 0; i < index.length; i++) {
    const at = index[i] * width;
    for (let j = 0; j < width; j++) target[i * width + j] = source[at + j];
  }
};

export const laneScatterKernel: Kernel = (out, [from, map]) => {
  const width = out.data.length / out.dims[0];
  const target = out.data;
  const source = from.data;
  const index = map.data;
  target.fill(0);
  for (let i = 0; i < index.length; i++) {
    const at = index[i] * width;
    for (let j = 0; j < width; j++) target[at + j] += source[i * width + j];
  }
};
