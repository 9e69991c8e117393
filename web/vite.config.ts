import { defineConfig } from 'vite';

/** The page, into build/web/page: works from any static host, at any depth. */
export default defineConfig({
  root: 'page',
  base: './',
  publicDir: '../../build/web/public',
  build: {
    outDir: '../../build/web/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
});
