import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { verificationSamples } from './serving/verification-samples.ts';
import { themeStylesheet } from './theme/theme-stylesheet.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet(), verificationSamples()],
  build: {
    target: 'es2023',
    // An inlined asset would be a `data:` URL, which the policy allows only for images and fonts.
    assetsInlineLimit: 0,
    // All pages are in one bundle, so that opening a page loads nothing but data, and the samples.
    chunkSizeWarningLimit: 2_000,
  },
});
