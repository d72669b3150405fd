import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { branded, brandIn } from './serving/brand.ts';
import { verificationSamples } from './serving/verification-samples.ts';
import { themeStylesheet } from './theme/theme-stylesheet.ts';

const brand = brandIn(process.env);

const brandedPage: Plugin = {
  name: 'branded-page',
  transformIndexHtml: (html) => branded(html, brand),
};

/** So the browser shows what the page itself has before the style sheet has arrived. */
const stylesheetLast: Plugin = {
  name: 'stylesheet-last',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      return html.replace(link, '').replace('</body>', `${link}\n</body>`);
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  define: { PRODUCT_NAME: JSON.stringify(brand.name) },
  plugins: [
    react(),
    themeStylesheet(brand.colour),
    verificationSamples(),
    brandedPage,
    stylesheetLast,
  ],
  build: {
    target: 'es2023',
    // An inlined asset would be a `data:` URL, which the policy allows only for images and fonts.
    assetsInlineLimit: 0,
    // All pages are in one bundle, so that opening a page loads nothing but data, and the samples.
    chunkSizeWarningLimit: 2_000,
  },
});
