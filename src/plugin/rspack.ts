/** `import waymark from 'waymark/rspack'`. */
import { plugin } from './plugin.ts';
import type { CompilerPlugin } from './shapes.ts';

export type { WaymarkPluginOptions } from './options.ts';

const waymark: CompilerPlugin = plugin.rspack;
export default waymark;
