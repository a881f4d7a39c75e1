/** The playground. */
import { Playground } from './playground.ts';

void new Playground(new URL('.', location.href).href).start();
