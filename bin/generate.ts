// Makes the files that follow from others: openapi.json from the routes, the SDK's types from openapi.json, schema.sql
// from the migrations, docs/errors.md from the codes, docs/roles.md from the table of roles, and the table of metrics in
// docs/observability.md; the texts of the web UI; and the list of regular expressions that are proven to take linear time. With --check it writes nothing and fails when one of them is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildDocument } from '../server/src/http/document.ts'
import { routes } from '../server/src/http/routes/index.ts'
import { clientTypes, type Document } from './client-types.ts'
import { errorsPage } from './errors-page.ts'
import { rolesPage } from './roles-page.ts'
import { metricsPage } from './metrics-page.ts'
import { checkPatterns } from './patterns/check-patterns.ts'
import { readSchema } from './schema.ts'
import { stringsPage } from './strings/strings-page.ts'

const root = path.dirname(import.meta.dirname)
const provenPatterns = 'bin/patterns/proven.txt'
const { list, faults } = checkPatterns(root, read(provenPatterns) ?? '')

async function makeFiles(): Promise<Map<string, string>> {
  const document = await buildDocument(routes)
  return new Map([
    [provenPatterns, list],
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/errors.md', errorsPage()],
    ['docs/ui-texts.md', stringsPage(root)],
    ['docs/roles.md', rolesPage()],
    ['docs/observability.md', metricsPage(readFileSync(path.join(root, 'docs/observability.md'), 'utf8'))],
    ['server/src/db/schema.sql', await readSchema()],
    ['sdk/src/generated/api.ts', clientTypes(document as Document)],
  ])
}

function findStale(files: Map<string, string>): string[] {
  return [...files].filter(([file, text]) => read(file) !== text).map(([file]) => file)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

function write(files: Map<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
}

const files = await makeFiles()
const stale = findStale(files)
if (!process.argv.includes('--check')) {
  write(files)
  console.log(
    stale.length ? `Written anew:\n${stale.map((file) => `  ${file}`).join('\n')}` : 'All generated files are fresh.',
  )
} else if (stale.length) {
  console.error(
    `These generated files are stale; run "npm run generate" and commit the result:\n${stale.map((file) => `  ${file}`).join('\n')}`,
  )
  process.exitCode = 1
}
if (faults.length) {
  console.error(
    `These regular expressions may take too long; see docs/decisions/0038-prove-every-regular-expression-linear.md:\n  ${faults.join('\n  ')}`,
  )
  // Whoever only writes files is told, and not kept from writing the others.
  if (process.argv.includes('--check')) process.exitCode = 1
}
