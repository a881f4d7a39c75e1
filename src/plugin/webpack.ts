/** `import waymark from 'waymark/webpack'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.webpack;
