/** `import waymark from 'waymark/webpack'`. */
import { plugin } from './plugin.ts';
import type { CompilerPlugin } from './shapes.ts';

export type { WaymarkPluginOptions } from './options.ts';

const waymark: CompilerPlugin = plugin.webpack;
export default waymark;
