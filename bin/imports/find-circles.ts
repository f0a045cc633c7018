import path from 'node:path'
import type { Imports } from './find-imports.ts'

/** Circles, each as the way round, such as `['a', 'b', 'a']`: one for each import that closes one. */
export function findCircles(imports: Imports): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (node: string) => {
    const begun = way.indexOf(node)
    if (begun >= 0) circles.push([...way.slice(begun), node])
    if (begun >= 0 || done.has(node)) return
    way.push(node)
    for (const next of imports.get(node) ?? []) visit(next)
    way.pop()
    done.add(node)
  }
  for (const node of imports.keys()) visit(node)
  return circles
}

/** The same between folders: each counts its own files, not those of folders within. */
export function betweenFolders(imports: Imports): Imports {
  const folders = new Map<string, string[]>()
  for (const [file, others] of imports) {
    const from = path.dirname(file)
    const to = others.map((other) => path.dirname(other)).filter((other) => other !== from)
    folders.set(from, [...new Set([...(folders.get(from) ?? []), ...to])])
  }
  return folders
}
