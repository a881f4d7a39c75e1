/**
 * What bundlers take for a plugin, as far as they ask: their own types are not there where their users are not. (Types and
 * not interfaces, which do not go where any further field may be.)
 */
import type { WaymarkPluginOptions } from './options.ts';

/** Of webpack and Rspack. */
export type CompilerPlugin = (options?: WaymarkPluginOptions) => { apply(compiler: unknown): void };

/** Of Rollup. */
export type NamedPlugin = (options?: WaymarkPluginOptions) => { readonly name: string };
