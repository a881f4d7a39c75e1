/** `import waymark from 'waymark/vite'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.vite;
