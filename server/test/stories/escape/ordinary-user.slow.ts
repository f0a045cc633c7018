/** The same attacks where the service is not root: the whole suite once more, in a process of an ordinary user. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { copyForUser, testAsUser } from '#test/copy-for-user.ts'

const isRoot = process.getuid?.() === 0

test(
  'no way out leads anywhere where an ordinary user runs the service either',
  { skip: !isRoot && 'the suite runs as an ordinary user already', timeout: 280_000 },
  async () => {
    const copy = copyForUser()
    const files = globSync(['test/stories/escape/*.slow.ts', 'src/adapters/sandboxes/*.test.ts'], { cwd: copy.folder })
    const others = files.filter((file) => !file.endsWith(path.basename(import.meta.filename)))
    const { exitCode, text } = await testAsUser(copy, others)
    const failed = text.match(/^ *not ok .*\n(?: *(?!ok|not ok|#).*\n){0,20}/gm) ?? [text.slice(-4_000)]
    assert.equal(exitCode, 0, failed.join('\n'))
    assert.ok(Number(/^# pass (\d+)$/m.exec(text)?.[1]) > 200, text.slice(-500))
  },
)
