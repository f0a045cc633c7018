/** Sandboxes where the cluster has agent-sandbox: what is asked of its controller, and that nothing of it is left behind. */
import assert from 'node:assert/strict'
import { readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { startKubernetes, type StartKubernetes } from '#test/kubernetes-server.ts'
import { sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { recordOf } from '#adapters/sandboxes/process-record.ts'
import { openKubernetes } from './kubernetes.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('sandboxes by agent-sandbox', { skip: engine }, () => {})
else describe('sandboxes by agent-sandbox', () => tellOf(engine))

/** More than the controller takes to make a Pod anew. */
const CONTROLLER_MS = 500

function tellOf({ socket, image }: ContainerEngine): void {
  const { base, folder } = testSandboxes((options) => openKubernetes({ ...options, image, runtime: null }))
  const open = () => openKubernetes({ folder, image, runtime: null })
  async function startCluster(more: Partial<StartKubernetes> = {}) {
    const cluster = await startKubernetes({ socket, volume: base, agentSandbox: 'v1beta1', ...more })
    process.env.KUBECONFIG = cluster.kubeconfig
    return Object.assign(cluster, { [Symbol.asyncDispose]: cluster.stop })
  }

  for (const agentSandbox of ['v1beta1', 'v1alpha1'] as const)
    test(`are its Sandboxes in ${agentSandbox}, and gone with them`, async () => {
      await using cluster = await startCluster({ agentSandbox })
      const own = open()
      const sandbox = await own.create({ id: 'ours', limits: testLimits })
      assert.equal(await sayIn(sandbox, 'echo on'), 'on')
      const [resource] = [...cluster.sandboxes.values()]
      const { spec } = resource!
      assert.equal(resource!.apiVersion, `agents.x-k8s.io/${agentSandbox}`)
      // What it does not know, the API server of a cluster drops without a word.
      assert.deepEqual(Object.keys(spec).toSorted(), ['podTemplate', 'service', 'shutdownPolicy', 'shutdownTime'])
      assert.deepEqual(Object.keys(spec.podTemplate).toSorted(), ['metadata', 'spec'])
      assert.deepEqual(Object.keys(spec.podTemplate.metadata).toSorted(), ['annotations', 'labels'])
      assert.deepEqual(
        resource!.metadata.ownerReferences?.map(({ uid }) => uid),
        [cluster.worker.metadata!.uid],
      )
      const overdueMs = Date.parse(spec.shutdownTime) - Date.now()
      assert.ok(overdueMs > spec.podTemplate.spec.activeDeadlineSeconds! * 1_000, 'it ends the Pod last of all')
      await sandbox.stop('done')
      assert.deepEqual([cluster.sandboxes.size, cluster.pods.size], [0, 0])
      await pause(CONTROLLER_MS)
      assert.equal(cluster.created.length, 1)
      await own.remove('ours')
    })

  test('are lost when somebody deletes the Pod: the one that the controller makes instead runs nothing', async () => {
    await using cluster = await startCluster()
    const own = open()
    const sandbox = await own.create({ id: 'deleted', limits: testLimits })
    const command = sandbox.exec({ shell: 'sleep 600', timeoutMs: 60_000 })
    const [name] = [...cluster.pods.keys()]
    await fetch(`${cluster.url}/api/v1/namespaces/runwright/pods/${name}`, { method: 'DELETE' })
    assert.equal((await command.result).reason, 'sandbox_lost')
    assert.deepEqual(await sandbox.closed, { reason: 'lost' })
    await own.remove('deleted')
    await until(() => cluster.pods.size === 0, 'no Pod is left')
    assert.equal(cluster.sandboxes.size, 0)
  })

  test('are found and removed when their process is gone, with and without a Pod', async () => {
    await using cluster = await startCluster()
    const own = open()
    const sandbox = await own.create({ id: 'alive', limits: testLimits })
    const [mine] = [...cluster.sandboxes.values()]
    const owner = { ...recordOf(process.pid), startTime: '1', namespace: readlinkSync('/proc/self/ns/pid') }
    const annotations = { 'runwright.owner': JSON.stringify(owner) }
    for (const waitMs of [0, CONTROLLER_MS]) {
      const left = structuredClone(mine!)
      Object.assign(left.metadata, { name: 'of-a-dead-process', uid: `another-${waitMs}`, annotations })
      left.spec.podTemplate.metadata.annotations = annotations
      cluster.sandboxes.set('of-a-dead-process', left)
      await pause(waitMs)
      assert.equal(cluster.pods.has('of-a-dead-process'), waitMs > 0)
      assert.deepEqual(await open().list(), ['alive'])
      assert.deepEqual([...cluster.sandboxes.keys()], [mine!.metadata.name])
      await until(() => !cluster.pods.has('of-a-dead-process'), 'its Pod is gone')
    }
    assert.equal(await sayIn(sandbox, 'echo on'), 'on')
    await own.remove('alive')
    assert.deepEqual([cluster.sandboxes.size, cluster.pods.size], [0, 0])
  })

  test('are Pods where the worker may not list Sandboxes, or what there is, and where there are none', async () => {
    for (const more of [
      { forbidden: ['list sandboxes'] },
      { forbidden: ['list groups'] },
      { agentSandbox: undefined },
    ]) {
      await using cluster = await startCluster(more as Partial<StartKubernetes>)
      const own = open()
      const sandbox = await own.create({ id: 'plain', limits: testLimits })
      assert.deepEqual([cluster.sandboxes.size, cluster.pods.size], [0, 1])
      await sandbox.stop('done')
      await own.remove('plain')
    }
  })

  test('are explained where they do not begin: no right, no controller', { timeout: 60_000 }, async () => {
    const problemsOf = async (more: Partial<StartKubernetes>) => {
      await using cluster = await startCluster(more)
      const { problems } = await open().probe()
      assert.deepEqual([cluster.sandboxes.size, cluster.pods.size], [0, 0])
      return problems.join(' ')
    }
    assert.match(
      await problemsOf({ forbidden: ['create sandboxes'] }),
      /sandboxes is forbidden.* the right to create sandboxes in the namespace runwright/,
    )
    assert.match(
      await problemsOf({ controllerSays: 'quota exceeded' }),
      /agent-sandbox has made no Pod of the Sandbox .* it says "quota exceeded".* worker\.kubernetes\.agentSandbox/,
    )
  })
}
