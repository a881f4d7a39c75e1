/** Where this text is: packages are looked for from there. In a CommonJS bundle it is not known, and the app is near. */
import { join } from 'node:path';

export const ownPlace = (): string => import.meta.url || join(process.cwd(), 'app.js');
