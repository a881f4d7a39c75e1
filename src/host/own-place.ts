/** Where this text is: packages are looked for from there. In a bundle of the form CommonJS nobody says, and the app is near. */
import { join } from 'node:path';

export const ownPlace = (): string => import.meta.url || join(process.cwd(), 'app.js');
