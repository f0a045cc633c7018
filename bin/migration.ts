// Makes the next migration's file: npm run migration -- add-labels
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../server/src/db/migrations')
const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9-]*$/.test(name)) {
  process.stderr.write('Name the migration in lower case: npm run migration -- add-labels\n')
  process.exit(1)
}
// Numbers may have gaps.
const number = 1 + Math.max(0, ...readdirSync(folder).map((file) => Number.parseInt(file, 10) || 0))
const file = path.join(folder, `${String(number).padStart(4, '0')}-${name}.sql`)
writeFileSync(
  file,
  '-- Expand first: the previous version runs beside this schema. What takes away begins with "-- contract: 0012" instead.\n',
  { flag: 'wx' },
)
process.stdout.write(`${path.relative(process.cwd(), file)}\n`)
