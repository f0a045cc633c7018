/** The same attacks where the service is not root: the whole suite once more, in a process of an ordinary user. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { copyForUser } from '#test/copy-for-user.ts'
import { passTests } from '#test/pass-tests.ts'
import { suitesInEngines } from './try-from-containers.ts'

const isRoot = process.getuid?.() === 0
/** This file, and what asks for an engine, which this user has none of. */
const leftAside = [path.basename(import.meta.filename), ...suitesInEngines]

test(
  'no way out leads anywhere where an ordinary user runs the service either',
  { skip: !isRoot && 'the suite runs as an ordinary user already', timeout: 280_000 },
  async () => {
    const copy = copyForUser()
    const files = globSync(['test/stories/escape/*.slow.ts', 'src/adapters/sandboxes/*.test.ts'], { cwd: copy.folder })
    const others = files.filter((file) => !leftAside.includes(path.basename(file)))
    assert.ok((await passTests({ ...copy, testMs: 300_000 }, others)) > 200)
  },
)
