import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const resolver = new URL('resolve-imports.mjs', import.meta.url).href
const root = path.dirname(import.meta.dirname)

/** Where each import of a file in this folder leads. */
function resolveIn(folder: string, specifiers: string[], flags: string[]): string {
  const program = `console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((one) => import.meta.resolve(one))))`
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    cwd: path.join(root, folder),
    encoding: 'utf8',
  })
  assert.ok(stdout, stderr)
  return stdout
}

for (const [folder, specifiers] of Object.entries({
  'server/src/http': ['#base/errors.ts', '#test/service.ts', './document.ts', '../main.ts', 'pg', 'node:fs'],
  'web/src/ui': ['#ui/ticker.ts', './ticker.ts', 'react', '@runwright/sdk'],
  bin: ['./test.ts', '../server/src/main.ts'],
}))
  test(`imports in ${folder} lead where Node itself would go`, () => {
    const found = resolveIn(folder, specifiers, [`--import=${resolver}`])
    assert.equal(found, resolveIn(folder, specifiers, []))
    assert.match(found, /ticker|main/)
  })
