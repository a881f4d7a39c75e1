/** Pictures in rows and columns. */
import type { Figure } from './chapter.ts';
import { pngUrl } from './png.ts';

/** A heading and the pictures below it, one for each row. */
interface PictureColumn {
  readonly heading: string;
  readonly pictures: readonly (readonly number[])[];
}

const CELL = 48;

/** Columns with the same heading stand together below it. */
export function pictureGrid(name: string, caption: string, width: number, columns: readonly PictureColumn[]): Figure {
  const ink = (levels: readonly number[]) => levels.map((level) => 255 - level);
  const values = columns.flatMap(({ heading, pictures }, column) =>
    pictures.map((levels, row) => ({ heading, column, row, url: pngUrl(ink(levels), width) })),
  );
  const headings = [...new Set(columns.map(({ heading }) => heading))];
  return {
    name,
    caption,
    spec: {
      data: { values },
      facet: { column: { field: 'heading', type: 'nominal', sort: headings, header: { title: null } } },
      resolve: { scale: { x: 'independent' } },
      spacing: 12,
      spec: {
        width: { step: CELL },
        height: { step: CELL },
        mark: { type: 'image', width: CELL - 4, height: CELL - 4 },
        encoding: {
          x: { field: 'column', type: 'ordinal', axis: null },
          y: { field: 'row', type: 'ordinal', axis: null },
          url: { field: 'url', type: 'nominal' },
        },
      },
      config: { view: { stroke: null } },
    },
  };
}
