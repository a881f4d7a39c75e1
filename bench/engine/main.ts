import { lanes } from './lanes.ts';
import { scalars } from './scalars.ts';

const parts: Record<string, () => void> = { scalars, lanes };
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) run();
