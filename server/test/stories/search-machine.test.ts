/** Somebody takes over the machine of a remote worker and searches it: what of the service is there? */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Secret } from '#base/secrets/secret.ts'
import { openSecretKey, type KeyPurpose } from '#base/secrets/secret-key.ts'
import { findPort } from '#process/find-port.ts'
import { git, makeRepository } from '#test/example-repository.ts'
import { searchFolder, searchProcesses, type Found, type Planted } from '#test/find-planted.ts'
import { releasedBy, startService } from '#test/service.ts'
import { startRemoteWorker } from '#test/start-remote-worker.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const prefix = `planted${randomBytes(4).toString('hex')}`
const plant = (what: string) => `${prefix}-${what}-${randomBytes(12).toString('hex')}`

const secretKey = plant('key')
const adminToken = plant('admin')
const db = await testDb()
const port = await findPort('127.0.0.1')
const service = await startService({
  databaseUrl: db.url,
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_REMOTE_WORKERS: `${port}`,
    RUNWRIGHT_SECRET_KEY: secretKey,
    RUNWRIGHT_ADMIN_TOKEN: adminToken,
    RUNWRIGHT_WORKER_SLOTS: '1',
  },
})

type Tenant = { at: string; id: number; repoId: number; object: Buffer }

/** An organization with all that should stay with it. */
async function makeTenant(name: string): Promise<Tenant> {
  const { id } = await service.call<{ id: number }>('POST', '/v1/organizations', { name })
  const at = `/v1/organizations/${id}`
  await service.call('PUT', `${at}/secrets/USED`, { value: plant(`${name}-used`) })
  await service.call('PUT', `${at}/secrets/UNUSED`, { value: plant(`${name}-unused`) })
  const folder = makeRepository({ 'text.txt': `${plant(`${name}-text`)}\n` })
  // Objects are compressed, and their names are not.
  const object = Buffer.from(git(folder, 'rev-parse', 'HEAD:text.txt').trim(), 'hex')
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'work', import_from: folder })
  return { at, id, repoId: repo.id, object }
}

const play = (name: string, { at, repoId }: Tenant) =>
  service.call<{ id: number }>('POST', `${at}/agent/run`, {
    // The branch is named after the first words, and the machine has that.
    prompt: `Do what the script says, and then ${plant(`${name}-prompt`)}`,
    agent_type: 'scripted',
    repo_id: repoId,
    metadata: {
      script: [
        { shell: `echo ${plant(`${name}-line`)}` },
        { shell: releasedBy('released'), secrets: ['USED'] },
        { answer: plant(`${name}-answer`) },
      ],
    },
  })

async function untilHeld(dataDir: string, { id }: Tenant, runId: number): Promise<string> {
  const release = path.join(dataDir, 'sandboxes', `run-${id}-${runId}`, 'workspace/.git/released')
  await until(async () => {
    const run = await service.untilRun(runId, () => true, undefined, id)
    assert.ok(!['failed', 'completed'].includes(run.status), JSON.stringify(run.error))
    return run['steps'] !== 0 && existsSync(path.dirname(release))
  }, 'it is under way')
  return release
}

test('a machine that is searched has what its runs use, and nothing else of the service', async () => {
  const [ours, theirs] = [await makeTenant('ours'), await makeTenant('theirs')]
  const purposes: KeyPurpose[] = ['tokens', 'secrets', 'canaries', 'fingerprint']
  const key = openSecretKey({ secretKey: new Secret(secretKey), dataDir: '' })
  const { pathname, password } = new URL(db.url)
  assert.ok(password.length > 8)
  const planted: Planted = {
    prefix,
    bytes: {
      ...Object.fromEntries(purposes.map((purpose) => [`key for ${purpose}`, key.derive(purpose)])),
      'object of ours': ours.object,
      'object of theirs': theirs.object,
      'name of the database': Buffer.from(pathname),
      'password of the database': Buffer.from(password),
    },
  }
  const { token } = await service.call<{ token: string }>('POST', `${ours.at}/worker-tokens`, { name: 'ours' })
  await service.call('PATCH', ours.at, { settings: { own_workers_only: true } })
  const theirRun = await play('theirs', theirs)
  let output = ''
  const { child, dataDir } = await startRemoteWorker({
    env: { RUNWRIGHT_SERVICE_URL: `http://127.0.0.1:${port}`, RUNWRIGHT_WORKER_TOKEN: token },
    onSaid: (text) => (output += text),
  })
  const ourRun = await play('ours', ours)
  const release = await untilHeld(dataDir, ours, ourRun.id)
  const search = () => [...searchProcesses(child.pid!, planted), ...searchFolder(dataDir, planted)]

  // What its run uses is there, so whatever else there were would be found.
  let held: Found[] = []
  const isThere = (place: RegExp, what: RegExp) =>
    held.some((found) => place.test(found.place) && what.test(found.what))
  await until(() => {
    held = search()
    return isThere(/^environ/, /-ours-used-/)
  }, `the command has its secret: ${output}`)
  assert.ok(isThere(/^mem/, /-ours-used-/))
  assert.ok(isThere(/text\.txt$/, /-ours-text-/))
  assert.ok(isThere(/\.(idx|pack)$|objects/, /^object of ours$/))
  assert.deepEqual(strangersIn(held), [])

  // The same search of a process of the service finds what was looked for.
  const beside = new Set(searchProcesses(service.child.pid!, planted).map(({ what }) => what))
  for (const word of [secretKey, adminToken, 'name of the database', 'password of the database', 'key for secrets'])
    assert.ok(beside.has(word), `${word} among ${[...beside].join()}`)

  writeFileSync(release, '')
  assert.equal((await service.untilEnded(ourRun.id, undefined, ours.id)).status, 'completed')
  assert.deepEqual(strangersIn(search()), [])
  writeFileSync(await untilHeld(service.dataDir, theirs, theirRun.id), '')
  assert.equal((await service.untilEnded(theirRun.id, undefined, theirs.id)).status, 'completed')
})

/** What a machine of ours has no need of. */
function strangersIn(found: Found[]): Found[] {
  const needed = /-ours-(used|text|line)-|^object of ours$/
  return found.filter(({ what }) => !needed.test(what))
}
