/** Dark or light: as the system has it, until somebody chooses. */

const KEY = 'waymark.theme';

export function isDark(element: Element = document.documentElement): boolean {
  const scheme = getComputedStyle(element).colorScheme;
  const dark = scheme.includes('dark');
  return dark && scheme.includes('light') ? matchMedia('(prefers-color-scheme: dark)').matches : dark;
}

function apply(theme: string | null): void {
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
}

function chosen(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Puts the theme in force; `changed` is called whenever it becomes another. */
export function startTheme(changed: () => void): { toggle(): void } {
  apply(chosen());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  return {
    toggle() {
      const theme = isDark() ? 'light' : 'dark';
      apply(theme);
      try {
        localStorage.setItem(KEY, theme);
      } catch {
        // It holds for this visit.
      }
      changed();
    },
  };
}
