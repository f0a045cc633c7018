// Fails where files or folders import one another in a circle, or a wing of the domain one above it. What the linter
// checks is who may import whom; it sees neither folders nor circles of types. Told a folder, it looks at the copy there.
import path from 'node:path'
import { betweenFolders, findCircles } from './imports/find-circles.ts'
import { findClimbs } from './imports/find-climbs.ts'
import { findImports } from './imports/find-imports.ts'

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'))
/** Each knows those before it. */
const wings = ['accounts', 'repos', 'runs', 'hosts'].map((wing) => `domain/${wing}`)

const faults = ['server/src', 'web/src', 'cli/src', 'sdk/src'].flatMap((folder) => {
  const imports = findImports(path.join(root, folder))
  const circles = [...findCircles(imports), ...findCircles(betweenFolders(imports))]
  return [
    ...circles.map((circle) => `${folder}: a circle: ${circle.join(' → ')}`),
    ...findClimbs(imports, wings).map((climb) => `${folder}: upwards: ${climb}`),
  ]
})
for (const fault of faults) console.error(fault)
if (faults.length) process.exit(1)
