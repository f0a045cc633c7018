import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { limits } from '#base/limits.ts'
import { openLogger } from '#base/logger.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { appendSandboxLog } from '#domain/runs/sandbox-logs/append-sandbox-log.ts'
import { listSandboxLog } from '#domain/runs/sandbox-logs/list-sandbox-log.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { keepSandboxLog } from './keep-sandbox-log.ts'

const db = await testDb()
const makeWorkspace = testWorkspaces()
const secret = 'correct-horse-battery-staple'

async function openKept() {
  const { holder } = await makeHeldRun(db)
  const { organizationId, runId, leaseId } = holder
  const { id: sandboxId } = await one<{ id: number }>(
    db,
    `insert into sandboxes (organization_id, run_id, lease_id, provider, worker, enforcement) values ($1, $2, $3, 'p', 'w', '{}') returning id`,
    [organizationId, runId, leaseId],
  )
  const redactor = openRedactor([{ name: 'KEY', value: secret }])
  const app = { pool: db, logger: openLogger({ level: 'silent' }), mask: redactor.mask, clock: systemClock }
  const sandbox = keepSandboxLog(app, { organizationId, sandboxId, sandbox: await makeWorkspace({ a: 'a' }) })
  const exec = (shell: string, more = {}) =>
    sandbox.exec({ shell, timeoutMs: 20_000, openFilter: () => redactor.openStream(), ...more }).result
  const place = { organizationId, sandboxId }
  const read = () => listSandboxLog(db, { ...place, skip: 0, limit: 100 })
  return { sandbox, exec, read, place, filter: () => redactor.openStream() }
}

test('what ran in a sandbox is kept: how it was called, how it ended, and the end of what it printed', async () => {
  const { sandbox, exec, read, filter } = await openKept()
  await exec('echo out; echo err >&2; exit 3')
  await sandbox.exec({ argv: ['printf', '%s', "it's"], timeoutMs: 20_000, openFilter: filter }).result
  await exec('kill -9 $$')
  await exec(`head -c ${limits.sandboxLogOutputBytesMax + 7} /dev/zero | tr '\\0' x`)
  await sandbox.stop('done')
  const { items, total } = await read()
  assert.equal(total, 4)
  assert.partialDeepStrictEqual(items.slice(0, 3), [
    { n: 1, command: 'echo out; echo err >&2; exit 3', exitCode: 3, reason: 'exited', cutBytes: 0 },
    { n: 2, command: `printf %s 'it'\\''s'`, exitCode: 0, output: "it's" },
    { n: 3, exitCode: null },
  ])
  assert.deepEqual(items[0]!.output.split('\n').sort(), ['', 'err', 'out'])
  assert.equal(items[3]!.output.length, limits.sandboxLogOutputBytesMax)
  assert.equal(items[3]!.cutBytes, 7)
})

test('nothing of a secret is kept, nor what the database cannot hold', async () => {
  const { sandbox, exec, read } = await openKept()
  await exec(`echo ${secret}; printf 'a\\0b\\377'`)
  await sandbox.stop('done')
  const { items } = await read()
  assert.equal(JSON.stringify(items).includes(secret), false)
  assert.match(items[0]!.command, /^echo \[redacted:KEY\]/)
  assert.equal(items[0]!.output, '[redacted:KEY]\na\\u0000b\ufffd')
})

test('of our own commands, which nobody is shown, nothing is kept', async () => {
  const { sandbox, read } = await openKept()
  await sandbox.exec({ shell: 'git status', timeoutMs: 20_000 }).result
  await sandbox.stop('done')
  assert.equal((await read()).total, 0)
})

test('the newest commands are kept', async () => {
  const { sandbox, exec, read, place } = await openKept()
  for (let n = 1; n <= 4; n++) await exec(`echo ${n}`)
  await sandbox.stop('done')
  const [known] = (await read()).items
  const n = limits.sandboxLogCommandsMax + 3
  await appendSandboxLog(db, { ...place, commands: [{ ...known!, n }] })
  assert.deepEqual(
    (await read()).items.map((command) => command.n),
    [4, n],
  )
})
