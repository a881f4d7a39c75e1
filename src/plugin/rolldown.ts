/** `import waymark from 'waymark/rolldown'`. */
import { plugin } from './plugin.ts';

export type { WaymarkPluginOptions } from './plugin.ts';

export default plugin.rolldown;
