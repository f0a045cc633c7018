/** Runs that work in Pods, and what becomes of them when the worker dies. */
import assert from 'node:assert/strict'
import os from 'node:os'
import { after, describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { startKubernetes } from '#test/kubernetes-server.ts'
import { startProcess, startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('a run in a Pod', { skip: engine }, () => {})
else await tellStory(engine)

async function tellStory({ socket, image }: ContainerEngine) {
  const db = await testDb()
  const cluster = await startKubernetes({ socket, volume: os.tmpdir() })
  const env = { RUNWRIGHT_SANDBOX: 'kubernetes', RUNWRIGHT_SANDBOX_IMAGE: image, KUBECONFIG: cluster.kubeconfig }
  const service = await startService({ databaseUrl: db.url, role: 'api', env })
  after(cluster.stop)
  const steps = 12

  describe('a run in a Pod', () => {
    test('goes on where it stood when its worker was killed, with its secrets in no Pod, and leaves none behind', async () => {
      const first = await service.startWorker()
      const script = [{ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps }, { answer: 'Counted.' }]
      const { id } = await service.play(script, { prompt: 'Count' })
      await service.untilLogged(id, 8)
      first.kill('SIGKILL')
      const second = await service.startWorker()
      const run = await service.untilEnded(id)
      assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
      const at = `/v1/organizations/${service.organizationId}`
      const diff = await (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
      const done = [...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1]))
      assert.deepEqual(
        [...new Set(done)],
        Array.from({ length: steps }, (_, index) => index + 1),
      )
      const { items } = await service.call<{ items: object[] }>('GET', `${at}/sandboxes?agent_run_id=${id}`)
      assert.ok(items.length >= 2)
      for (const sandbox of items) assert.partialDeepStrictEqual(sandbox, { provider: 'kubernetes' })
      await until(() => cluster.pods.size === 0, 'no Pod is left')
      assert.ok(cluster.created.length >= 2)
      assert.doesNotMatch(JSON.stringify(cluster.created), /rw_[A-Za-z0-9]{8}|RUN_TOKEN|postgres/)
      second.kill('SIGTERM')
    })

    test('is what doctor tells of', async () => {
      const settings = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: service.dataDir, ...env }
      const { child, ready } = startProcess('doctor', { env: settings, onSaid: () => {} })
      ready.catch(() => {})
      const lines = Buffer.concat(await child.stdout!.toArray()).toString()
      assert.match(lines, /^Sandbox \(kubernetes\): isolated/m)
      assert.match(lines, /^ {2}processes: none$/m)
      assert.match(lines, /^ {2}note: Sandboxes are Pods on the node of this worker/m)
    })
  })
}
