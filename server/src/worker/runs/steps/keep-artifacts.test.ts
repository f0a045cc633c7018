import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { getArtifact } from '#domain/runs/artifacts/get-artifact.ts'
import { listArtifacts } from '#domain/runs/artifacts/list-artifacts.ts'
import { openNotifier } from '#domain/runs/logs/notifier.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { makeSecretBox } from '#test/make.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { keepArtifacts } from './keep-artifacts.ts'

const db = await testDb()
const makeWorkspace = testWorkspaces()
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-artifacts-'))
const notifier = openNotifier(db.url)
after(async () => {
  await notifier[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
const secret = 'f3Kq9ZtYw2LmX7bVn4Rs'
const redactors = new RunRedactors({
  db,
  secretBox: makeSecretBox(),
  own: [{ name: 'KEY', value: secret }],
  canaryKeys: [],
})
const app = { pool: db, mask: redactors.own.mask, redactors, notifier, blobs: openFileBlobs({ folder }) }

/** What is kept of a workspace after these commands, and what the log says of the rest. */
async function keep(shell: string, times = 1) {
  await using sandbox = await makeWorkspace({ 'a.txt': 'a' })
  const { result } = sandbox.exec({ shell, timeoutMs: 30_000 })
  assert.equal((await result).exitCode, 0, (await result).output.toString())
  const { holder } = await makeHeldRun(db)
  const { signal } = new AbortController()
  for (let time = 1; time <= times; time++) await keepArtifacts(app, { holder, sandbox, signal })
  const { items } = await listArtifacts(db, { ...holder, skip: 0, limit: 1000 })
  const { rows } = await db.query('select body from log_entries where run_id = $1', [holder.runId])
  const content = async (name: string) => {
    const { organizationId, runId } = holder
    const found = await getArtifact(db, { organizationId, runId, name })
    return (await app.blobs.get({ organizationId, sha256: found.sha256 }))?.toString()
  }
  return { content, names: items.map(({ name }) => name), notes: rows.map(({ body }) => String(body.observation)) }
}

const make = 'mkdir -p .runwright/artifacts && cd .runwright/artifacts'

test('a workspace without such files leaves none', async () => {
  assert.partialDeepStrictEqual(await keep('true'), { names: [], notes: [] })
})

test('files are kept under their names, however often a worker comes to it', async () => {
  const { names, notes } = await keep(`${make} && touch empty && echo é > 'größe 1.txt'`, 2)
  assert.deepEqual([names, notes], [['empty', 'größe 1.txt'], []])
})

test('a file that would be taken for a part of the log stays behind', async () => {
  const { names, notes } = await keep(`${make} && touch log-1-tool_output.txt log.txt`)
  assert.deepEqual(names, ['log.txt'])
  assert.match(notes[0] ?? '', /"log-1-tool_output\.txt": its name is one that the log uses/)
})

test('secrets are taken out of texts, and what is no text and holds one stays behind', async () => {
  const { names, notes, content } = await keep(
    `${make} && echo 'the key is ${secret}!' > report.txt && printf 'a\\0${secret}' > dump.bin && printf 'a\\0b' > other.bin && touch ${secret}.txt`,
  )
  assert.deepEqual(names, ['other.bin', 'report.txt'])
  assert.equal(await content('report.txt'), 'the key is [redacted:KEY]!\n')
  assert.match(notes[0] ?? '', /"dump\.bin": it holds a secret, and is no text/)
  assert.match(notes[0] ?? '', /"\[redacted:KEY\]\.txt": its name holds a secret/)
})

test('what is too large or too many stays behind, and the log says so once', async () => {
  const { names, notes } = await keep(
    `${make} && for n in $(seq 101 201); do echo $n > $n; done && truncate -s $((50 * 1024 * 1024 + 1)) 001 && touch .hidden $'a\\nb'`,
    2,
  )
  assert.equal(names.length, 98)
  assert.equal(notes.length, 1)
  assert.match(notes[0] ?? '', /"001": it is larger than 50 MiB/)
  assert.match(notes[0] ?? '', /"\.hidden": its name is hidden/)
  assert.match(notes[0] ?? '', /"201": there are more than 100 files/)
})

test('links lead nowhere, neither a file nor the folder itself', async () => {
  assert.deepEqual((await keep(`${make} && ln -s /etc/passwd link && mkfifo pipe && mkdir deep`)).names, [])
  assert.deepEqual((await keep('mkdir .runwright && ln -s /etc .runwright/artifacts')).names, [])
  assert.deepEqual((await keep('mkdir -p x/artifacts && touch x/artifacts/y && ln -s x .runwright')).names, [])
})
