/** Where kernels find what is the same for all executions, in bytes from the start of their memory. */
import { TABLE_BYTES } from '../../tensor/ziggurat.ts';

/** Up to four numbers that are the same for all executions, each twice. */
export const SAME_AT = 0;
/** Up to four numbers of streams, each four times. */
export const CHOICE_AT = 64;
export const EPOCH_AT = 80;
/** Where a kernel leaves the sum of the squares of what it wrote. */
export const SQUARES_AT = 128;
/** By what normals are drawn: see `tensor/normals.ts`. */
export const TABLE_AT = 144;
/** Constants of the kernels. */
export const CONSTANTS_AT = (TABLE_AT + TABLE_BYTES + 15) & ~15;
export const CONSTANTS_BYTES = 2048;
/** Standard normals of four streams, and two uniforms of each; and how many numbers a stream has drawn. */
export const NORMALS_AT = (CONSTANTS_AT + CONSTANTS_BYTES + 15) & ~15;
export const FIRST_UNIFORMS_AT = NORMALS_AT + 32;
export const SECOND_UNIFORMS_AT = FIRST_UNIFORMS_AT + 32;
export const NUMBER_AT = SECOND_UNIFORMS_AT + 32;
/** What comes after all that. */
export const START = (NUMBER_AT + 16 + 31) & ~31;
