/** `import waymark from 'waymark/rollup'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.rollup;
