import { machine } from '../runtime/machine.ts';
import { standInFor } from './stand-in.ts';

/**
 * The fields of `globalStore`. A TypeScript program declares those that it uses:
 *
 *     import { globalStore } from 'waymark';
 *
 *     declare module 'waymark' {
 *       interface GlobalStore {
 *         data: number[];
 *       }
 *     }
 *
 *     globalStore.data = [1, 2, 3];
 */
export interface GlobalStore {
  [field: string]: unknown;
}

/**
 * The one object whose fields a model may change. Each execution starts from the fields as they were where inference was
 * asked for, and what it changes is its own.
 */
export const globalStore: GlobalStore = standInFor(() => machine.store);
