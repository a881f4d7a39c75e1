/** What the plugin takes. Apart from the plugin, whose types need those of every bundler. */
export interface WaymarkPluginOptions {
  /** Which files are compiled, if they import from `waymark`; all but those of packages if absent. */
  readonly include?: (file: string) => boolean;
}

/** True of files that are not those of a package. */
export const isOwnFile = (file: string): boolean => !/[\\/]node_modules[\\/]/.test(file);
