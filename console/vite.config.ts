import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { themeStylesheet } from './theme/theme-stylesheet.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet()],
  build: {
    target: 'es2023',
    // An inlined asset would be a `data:` URL, which the policy allows for images and fonts only.
    assetsInlineLimit: 0,
    // All pages are in one load: a later page needs nothing but data.
    chunkSizeWarningLimit: 2_000,
  },
});
