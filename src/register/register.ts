/** `node --import waymark/register app.ts`: modules that import from `waymark` are compiled when Node loads them. */
import { register } from 'node:module';
import { compileWhatIsRequired } from './required.ts';

process.setSourceMapsEnabled(true);
register('./register-hooks.js', import.meta.url);
compileWhatIsRequired();
