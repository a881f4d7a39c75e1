/** Where kernels find what is the same for all executions, in bytes from the start of their memory. */
import { TABLE_BYTES } from '../../tensor/ziggurat.ts';

/** Up to four numbers of streams, each four times; four numbers for other kernels come before. */
export const CHOICE_AT = 32;
export const EPOCH_AT = 48;
/** Where a kernel leaves the sum of the squares of what it wrote. */
export const SQUARES_AT = 96;
/** By what normals are drawn: see `tensor/normals.ts`. */
export const TABLE_AT = 128;
/** What comes after all that. */
export const START = (TABLE_AT + TABLE_BYTES + 31) & ~31;
