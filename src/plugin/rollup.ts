/** `import waymark from 'waymark/rollup'`. */
import { plugin } from './plugin.ts';
import type { NamedPlugin } from './shapes.ts';

export type { WaymarkPluginOptions } from './options.ts';

const waymark: NamedPlugin = plugin.rollup;
export default waymark;
