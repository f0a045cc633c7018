import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const good = "/** The name of a page in its address: lower case, words joined by one hyphen, 40 characters at most, and never empty. */\nexport function slugOf(title) {\n  const words = title\n    .normalize('NFD')\n    .replace(/\\p{M}/gu, '')\n    .toLowerCase()\n    .split(/[^a-z0-9]+/)\n    .filter(Boolean)\n  return words.join('-').slice(0, 40).replace(/-$/, '') || 'untitled'\n}\n"
const changes = {
  'upper case stays': ['.toLowerCase()', ''],
  'accents are dropped with their letters': [".normalize('NFD')", ''],
  'words are joined by underscores': ["join('-')", "join('_')"],
  'empty words are kept': ['.filter(Boolean)', ''],
  'it may be longer': ['slice(0, 40)', 'slice(0, 60)'],
  'it may end with a hyphen': [".replace(/-$/, '')", ''],
  'it may be empty': [" || 'untitled'", ''],
}

/** Whether the tests of the contestant pass with this code. */
function passes(code) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'slug-'))
  for (const name of ['src', 'test']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'src/slug.js'), code)
  copyFileSync(new URL('../test/slug.test.js', import.meta.url), path.join(folder, 'test/slug.test.js'))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { cwd: folder, env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  assert.match(stdout, /# pass [1-9]|# fail [1-9]/, 'there are tests')
  return status === 0
}

test('the tests pass with the code as it is', () => assert.ok(passes(good)))

for (const [name, [from, to]] of Object.entries(changes))
  test(`the tests fail when ${name}`, () => {
    assert.ok(good.includes(from))
    assert.ok(!passes(good.replace(from, to)))
  })
