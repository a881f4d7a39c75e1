/** `import waymark from 'waymark/esbuild'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.esbuild;
