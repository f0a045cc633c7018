import assert from 'node:assert/strict'
import { chmodSync, cpSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { operate } from '#test/operate.ts'
import { startService, stopProcess } from '#test/service.ts'
import { testFolder } from '#test/test-git.ts'

test(
  'a service with the embedded PostgreSQL is backed up while it works and while it is down, and restored',
  { timeout: 400_000 },
  async () => {
    const service = await startService({ databaseUrl: '' })
    const at = `/v1/organizations/${service.organizationId}`
    const run = await service.play([{ shell: 'echo kept > kept.txt' }, { answer: 'Done.' }])
    assert.equal((await service.untilEnded(run.id)).status, 'completed')
    await service.call('PUT', `${at}/secrets/PASSPHRASE`, { value: 'of the organization' })
    const folder = await testFolder()
    const own = { RUNWRIGHT_DATA_DIR: service.dataDir }
    await operate(['backup', path.join(folder, 'working')], own)
    assert.equal((await service.ask('GET', '/readyz')).status, 200)
    await stopProcess(service.child)
    await operate(['backup', path.join(folder, 'down')], own)

    for (const name of ['working', 'down']) {
      const target = path.join(folder, name)
      assert.match(await operate(['verify', target], own), /The backup is whole/)
      // Sandboxes are another user's.
      const place = await testFolder()
      chmodSync(place, 0o711)
      const there = { RUNWRIGHT_DATA_DIR: path.join(place, 'data') }
      await assert.rejects(operate(['restore', target], there), /There is no secret key here/)
      cpSync(path.join(service.dataDir, 'secret-key'), path.join(place, 'data', 'secret-key'))
      await operate(['restore', target], there)
      await assert.rejects(operate(['restore', target], there), /The database is not empty/)
      const restored = await startService({ databaseUrl: '', env: there })
      const diff = await (await restored.ask('GET', `${at}/agent/run/${run.id}/diff`)).text()
      assert.match(diff, /^\+kept$/m)
      const { items } = await restored.call<{ items: object[] }>('GET', `${at}/secrets`)
      assert.partialDeepStrictEqual(items, [{ name: 'PASSPHRASE' }])
      const next = await restored.play([{ answer: 'Again.' }])
      assert.ok(next.id > run.id)
      assert.equal((await restored.untilEnded(next.id)).status, 'completed')
      await stopProcess(restored.child)
    }
  },
)
