/** `import waymark from 'waymark/rspack'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.rspack;
