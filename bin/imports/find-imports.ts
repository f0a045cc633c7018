import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

/** Of each file below a folder, by its path there, the files there that it imports; types count like the rest. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** `#` at the beginning of an import stands for the folder, as package.json says. Tests may import whatever they test. */
export function findImports(folder: string): Imports {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/*.{test,slow}.{ts,tsx}', '**/generated/**'] })
  const known = new Set(files)
  return new Map(files.toSorted().map((file) => [file, importsOf(folder, file).filter((one) => known.has(one))]))
}

function importsOf(folder: string, file: string): string[] {
  const { module } = parseSync(file, readFileSync(path.join(folder, file), 'utf8'))
  const again = module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest))
  const names = [...module.staticImports.map(({ moduleRequest }) => moduleRequest), ...again].map((one) => one?.value)
  return names.flatMap((name) => {
    if (name?.startsWith('#')) return name.slice(1)
    return name?.startsWith('.') ? path.normalize(path.join(path.dirname(file), name)) : []
  })
}
