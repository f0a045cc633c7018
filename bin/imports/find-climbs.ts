import type { Imports } from './find-imports.ts'

/** Imports of what stands above, each as `from imports to`. `order`: folders, each of which knows those before it. */
export function findClimbs(imports: Imports, order: readonly string[]): string[] {
  const heightOf = (file: string) => order.findIndex((folder) => file.startsWith(`${folder}/`))
  return [...imports].flatMap(([from, others]) =>
    others.filter((to) => heightOf(from) >= 0 && heightOf(to) > heightOf(from)).map((to) => `${from} imports ${to}`),
  )
}
