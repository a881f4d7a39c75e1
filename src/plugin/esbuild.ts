/** `import waymark from 'waymark/esbuild'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './options.ts';

export default plugin.esbuild;
