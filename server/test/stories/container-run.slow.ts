/** Runs that work in containers, and what becomes of them when the worker or the engine dies. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { placeLabel } from '#adapters/sandboxes/container/container-labels.ts'
import { openEngine } from '#adapters/sandboxes/container/engine.ts'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { startProcess, startService, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('a run in a container', { skip: engine }, () => {})
else await tellStory(engine)

async function tellStory(first: ContainerEngine) {
  const db = await testDb()
  const { socket, image } = first
  const env = { RUNWRIGHT_SANDBOX: 'container', RUNWRIGHT_SANDBOX_ENGINE: socket, RUNWRIGHT_SANDBOX_IMAGE: image }
  const service = await startService({ databaseUrl: db.url, role: 'api', env })
  const at = `/v1/organizations/${service.organizationId}`
  const containers = () =>
    openEngine({ socket, image, runtime: null }).list(placeLabel(path.join(service.dataDir, 'sandboxes')))
  const steps = 20
  const count = [{ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps }, { answer: 'Counted.' }]

  describe('a run in a container', () => {
    test('goes on where it stood when its worker was killed, and leaves no container behind', async () => {
      const first = await service.startWorker()
      const { id } = await service.play(count, { prompt: 'Count' })
      await service.untilLogged(id, 8)
      assert.equal((await containers()).length, 1)
      first.kill('SIGKILL')
      const second = await service.startWorker()
      const run = await service.untilEnded(id)
      assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
      assert.deepEqual(
        await stepsOf(service, id),
        Array.from({ length: steps }, (_, index) => index + 1),
      )
      const { items } = await service.call<{ items: object[] }>('GET', `${at}/sandboxes?agent_run_id=${id}`)
      assert.ok(items.length >= 2)
      for (const sandbox of items) assert.partialDeepStrictEqual(sandbox, { provider: 'container' })
      await until(async () => (await containers()).length === 0, 'no container is left')
      second.kill('SIGTERM')
    })

    test('is what doctor tells of, with the engine and how each limit is held', async () => {
      const settings = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: service.dataDir, ...env }
      const { child, ready } = startProcess('doctor', { env: settings, onSaid: () => {} })
      ready.catch(() => {})
      const lines = Buffer.concat(await child.stdout!.toArray()).toString()
      assert.match(lines, /^Sandbox \(container\): isolated; its limits are held$/m)
      assert.match(lines, /^ {2}(?:memory|processes): kernel$/m)
      assert.match(lines, /^ {2}note: The engine is Podman \d/m)
      assert.match(lines, /^ {2}note: .*With gVisor/m)
    })

    test('says so when it loses its engine, and does not hang', async () => {
      const worker = await service.startWorker()
      const { id } = await service.play([{ shell: 'echo begun > begun; sleep 600' }, { answer: 'Done.' }])
      const begun = path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${id}`, 'workspace/begun')
      await until(() => existsSync(begun), 'it is at work')
      first.stop()
      assert.partialDeepStrictEqual(await service.untilEnded(id), {
        status: 'failed',
        error: { code: 'sandbox_lost', retryable: true },
      })
      assert.partialDeepStrictEqual(await startEngine({ socket }), { socket })
      const next = await service.play([{ shell: 'echo again' }, { answer: 'Done.' }])
      const run = await service.untilEnded(next.id)
      assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
      await until(async () => (await containers()).length === 0, 'no container is left')
      worker.kill('SIGTERM')
    })

    test('is not begun where the engine has no such image: the worker says so and what to do', async () => {
      const started = service.startWorker({ RUNWRIGHT_SANDBOX_IMAGE: 'no-such-image' })
      await assert.rejects(started, /has no image no-such-image: pull or build it there/)
    })
  })
}

/** Each step leaves a line, so that a step done twice is seen. */
async function stepsOf(service: Service, id: number): Promise<number[]> {
  const diff = await (
    await service.ask('GET', `/v1/organizations/${service.organizationId}/agent/run/${id}/diff`)
  ).text()
  return [...new Set([...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1])))]
}
