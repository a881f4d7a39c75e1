/** Says why nothing is tested, where there is no browser. */
import { findBrowser, NO_BROWSER } from './browser.ts';

export default function setup(): void {
  if (findBrowser() === undefined) console.log(NO_BROWSER);
}
