import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const copy = mkdtempSync(path.join(os.tmpdir(), 'runwright-imports-'))
after(() => rmSync(copy, { recursive: true }))
for (const folder of ['server/src', 'web/src', 'cli/src', 'sdk/src'])
  cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })

/** What the check says of our sources with these files beside them. */
function check(files: Record<string, string>): string {
  const paths = Object.keys(files).map((file) => path.join(copy, file))
  for (const [n, text] of Object.values(files).entries()) {
    mkdirSync(path.dirname(paths[n]!), { recursive: true })
    writeFileSync(paths[n]!, text)
  }
  const { stderr, status } = spawnSync(process.execPath, [path.join(root, 'bin/check-imports.ts'), copy], {
    encoding: 'utf8',
  })
  for (const file of paths) rmSync(file)
  assert.equal(status, stderr === '' ? 0 : 1, stderr)
  return stderr
}

test('nothing here imports itself in a circle, or upwards', () => {
  assert.equal(check({}), '')
})

test('a circle of files fails the check, also where it is one of types', () => {
  const output = check({
    'cli/src/one.ts': "import type { Two } from './two.ts'\nexport type One = Two\n",
    'cli/src/two.ts': "export type { One as Two } from './one.ts'\n",
  })
  assert.equal(output, 'cli/src: a circle: one.ts → two.ts → one.ts\n')
})

test('a circle of folders fails the check, where no files are in one', () => {
  const output = check({
    'server/src/http/one/a.ts': "import { b } from '#http/other/b.ts'\nexport const a = b\n",
    'server/src/http/one/c.ts': 'export const c = 1\n',
    'server/src/http/other/b.ts': "export * from '#http/other/d.ts'\nexport const b = 1\n",
    'server/src/http/other/d.ts': "import { c } from '#http/one/c.ts'\nexport const d = c\n",
  })
  assert.equal(output, 'server/src: a circle: http/one → http/other → http/one\n')
})

test('an import of a wing above fails the check, by both places', () => {
  const output = check({
    'server/src/domain/repos/climb.ts': "import type { Run } from '#domain/runs/run.ts'\nexport type Climb = Run\n",
  })
  assert.match(output, /server\/src: upwards: domain\/repos\/climb\.ts imports domain\/runs\/run\.ts\n/)
})
