import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = path.resolve(import.meta.dirname, '../..')
/** Always the same, as what is kept of compiled code is found by the names of files. */
const folder = path.join(root, 'node_modules/.cache/runwright-bundled')

/**
 * Joins the files of the service, and of the packages that it needs, to a few. A process that starts from them does the same in two thirds
 * of the processor time. Answers the one to start.
 */
export async function bundleService(): Promise<string> {
  const bundle = await rolldown({
    input: { main: path.join(root, 'server/src/main.ts') },
    platform: 'node',
    treeshake: false,
    // Optional, compiled on the machine, and not compiled by us.
    external: /\.node$/,
    plugins: [{ name: 'places', transform: { filter: { code: place }, handler: keepPlaces } }],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    keepNames: true,
  })
  await bundle.close()
  mkdirSync(folder, { recursive: true })
  for (const file of output) {
    const target = path.join(folder, file.fileName)
    writeFileSync(`${target}.new`, file.type === 'chunk' ? file.code : file.source)
    renameSync(`${target}.new`, target)
  }
  return path.join(folder, 'main.mjs')
}

const place = /\bimport\.meta\.(?:dirname|url)\b|\b__dirname\b/

/** Files that lie beside the code stay where they are, and so do the programs of threads and of other processes. */
function keepPlaces(code: string, id: string): string {
  const places = {
    'import.meta.url': pathToFileURL(id).href,
    'import.meta.dirname': path.dirname(id),
    __dirname: path.dirname(id),
  }
  return code.replaceAll(new RegExp(place, 'g'), (name) => JSON.stringify(places[name as keyof typeof places]))
}
