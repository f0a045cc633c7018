import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** What is worth compressing; fonts are compressed already. */
const compressible = /\.(?:js|css|svg|html)$/
const bytesMin = 1_000

/** Puts `.br` and `.gz` beside what compresses, so that the service compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // As the files are in the end; before that, others still write in them.
    writeBundle({ dir }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        const file = path.join(dir!, fileName)
        const bytes = readFileSync(file)
        if (!compressible.test(fileName) || bytes.length < bytesMin) continue
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** Asks for the fonts of the first page before the style sheet does: with `font-display: optional` late is never. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        return Object.keys(bundle)
          .filter((name) => /-latin-wght-normal-.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}

// `vite` alone serves the pages while they are written; RUNWRIGHT_URL names the service that answers below /v1.
export default defineConfig({
  plugins: [preloadFonts(), precompress()],
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Data URIs would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Libraries say which of their files are for browsers only; all of this is.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { proxy: { '/v1': process.env.RUNWRIGHT_URL ?? 'http://127.0.0.1:3900' } },
})
