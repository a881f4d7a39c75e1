/** Which modules of an app are compiled. It is asked of every file that is loaded, and so needs nothing of the compiler. */

/** An import of the library, also for its effects alone: `import 'waymark'` has a module compiled that needs nothing of it. */
const IMPORTS_LIBRARY = /(?:^|[;\s}])(?:import|from)\s*['"]waymark(?:\/webppl)?['"]/;

/** What is imported for its types alone is not there when the module runs. */
const TYPES_ALONE = /\b(?:import|export)\s+type\b[^;'"]*from\s*['"]waymark(?:\/webppl)?['"]/g;

/** Files that may be modules of an app. */
const MODULE_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether a module is compiled. */
export function isCompiled(file: string, text: string): boolean {
  if (file.endsWith('.wppl')) return true;
  return MODULE_FILE.test(file) && !file.endsWith('.d.ts') && IMPORTS_LIBRARY.test(text.replace(TYPES_ALONE, ''));
}
