import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { leftToOther } from '#test/cases-of-commit.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`
const fileBytes = 20 * 2 ** 20

test(
  'a repository of 200 MB is imported, worked at and pushed to; what is not changed is not moved',
  { timeout: 300_000, skip: leftToOther(0, 2) },
  async () => {
    const source = makeRepository({ 'README.md': 'large\n' })
    // Bytes that no compression makes smaller.
    for (let n = 0; n < 10; n++) writeFileSync(path.join(source, `big-${n}.bin`), randomBytes(fileBytes))
    git(source, 'add', '-A')
    git(source, 'commit', '-q', '-m', 'Large files')
    const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'large', import_from: source })
    const made = await service.play([{ shell: 'echo more >> README.md' }, { answer: 'Changed.' }], {
      prompt: 'Change the readme',
      repo_id: repo.id,
    })
    const run = await service.untilEnded(made.id, 120_000)
    assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
    assert.equal(run.github_pull_requests.length, 1)
    const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
    assert.match(diff, /^\+more$/m)
  },
)

test(
  'work larger than a run may push is refused with the limit, and the run fails without losing its log',
  { skip: leftToOther(1, 2) },
  async () => {
    const made = await service.play([{ shell: 'head -c 560M /dev/urandom > huge.bin' }, { answer: 'Huge.' }], {
      prompt: 'Too much',
    })
    const run = await service.untilEnded(made.id, 180_000)
    assert.deepEqual([run.status, run.error?.code], ['failed', 'push_too_large'], service.said())
    assert.match(run.error?.message ?? '', /512 MiB/)
    assert.deepEqual(
      (await service.log(made.id)).map((entry) => entry.message_type),
      ['USER_MESSAGE', 'ACTION', 'ERROR'],
    )
  },
)
