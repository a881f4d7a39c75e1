// `npm run gallery`: runs the gallery's programs, and writes the pictures of their cards.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const top = fileURLToPath(new URL('../..', import.meta.url));
const server = await createServer({
  root: top,
  server: { middlewareMode: true },
  appType: 'custom',
  logLevel: 'error',
});
try {
  const { galleryData } = await server.ssrLoadModule('/playground/build/gallery-data.ts');
  const { galleryPictures } = await server.ssrLoadModule('/playground/build/gallery-pictures.ts');
  const pictures = await galleryPictures(galleryData(top));
  writeFileSync(`${top}playground/gallery/pictures.json`, `${JSON.stringify(pictures)}\n`);
} finally {
  await server.close();
}
