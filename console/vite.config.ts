import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkStyles } from './check-styles.ts';
import { compressAssets } from './compress-assets.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The service behind `npm run dev`. */
const SERVICE = `http://127.0.0.1:${process.env['PORT'] || 3000}`;

export default defineConfig(({ command }) => ({
  root: HERE,
  // The service puts a <base> into the built page: it may be served below any path.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), checkStyles(HERE), compressAssets()],
  resolve: { alias: { '#console': join(HERE, 'src') } },
  build: {
    outDir: join(HERE, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2023',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The packages in the bundle with their licences, which it has to carry.
    license: { fileName: 'licences.json' },
    chunkSizeWarningLimit: 800,
  },
  server: {
    port: 5173,
    proxy: { '^/(api|recordings|embed.js|widget-preview)': { target: SERVICE, ws: true } },
  },
}));
