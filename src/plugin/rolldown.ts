/** `import waymark from 'waymark/rolldown'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './options.ts';

export default plugin.rolldown;
