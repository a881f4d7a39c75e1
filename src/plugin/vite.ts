/** `import waymark from 'waymark/vite'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './options.ts';

export default plugin.vite;
