/** What is beside every page: the sections and links of `docs/README.md`. */

export interface Navigation {
  readonly sections: readonly { readonly title: string; readonly links: readonly Link[] }[];
}

export interface Link {
  readonly title: string;
  /** Below docs/. */
  readonly file: string;
}

export function navigationIn(readme: string): Navigation {
  const parts = readme.split(/^\*\*(.+)\*\*$/m).slice(1);
  const sections: { title: string; links: Link[] }[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const links = [...parts[i + 1].matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)/gm)]
      .map(([, title, file]) => ({ title, file }))
      .filter(({ file }) => file !== 'architecture.md');
    sections.push({ title: parts[i], links });
  }
  return { sections };
}
