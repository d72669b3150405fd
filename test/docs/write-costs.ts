/**
 * Writes the figures of docs/operators that follow from templates, prices and measurements:
 *
 *     npm run docs:costs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pagesWithCurrentFigures } from './pages-with-figures.ts';

for (const { path, text } of pagesWithCurrentFigures((page) => readFileSync(page, 'utf8'))) {
  writeFileSync(path, text);
}
