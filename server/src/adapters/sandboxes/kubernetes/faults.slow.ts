/** What a cluster can do to a sandbox, or refuse, and what people are told then. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { describe, test } from 'node:test'
import { startEngine, type ContainerEngine } from '#test/container-engine.ts'
import { startKubernetes, type StartKubernetes } from '#test/kubernetes-server.ts'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { recordOf } from '#adapters/sandboxes/process-record.ts'
import { openKubernetes } from './kubernetes.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('a Pod that fails', { skip: engine }, () => {})
else describe('a Pod that fails', () => tellOf(engine))

function tellOf({ socket, image }: ContainerEngine): void {
  const work = { name: 'work', image }
  const { base, folder } = testSandboxes((options) => openKubernetes({ ...options, image: work.image, runtime: null }))
  const open = () => openKubernetes({ folder, image: work.image, runtime: null })
  async function startCluster(more: Partial<StartKubernetes> = {}) {
    const cluster = await startKubernetes({ socket, volume: base, ...more })
    process.env.KUBECONFIG = cluster.kubeconfig
    return Object.assign(cluster, { [Symbol.asyncDispose]: cluster.stop })
  }

  test(
    'is not begun where the cluster lets it reach something, as no plugin holds its NetworkPolicy',
    { timeout: 60_000 },
    async () => {
      await using cluster = await startCluster({ enforcesPolicies: false })
      const { isolated, problems } = await open().probe()
      assert.ok(!isolated)
      assert.match(problems.join(' '), new RegExp(`commands in it could reach ${new URL(cluster.url).host}`))
      assert.equal(cluster.pods.size, 0)
    },
  )

  test('is explained: no right, no image, no volume, no cluster', async () => {
    const problemsOf = async (more: Partial<StartKubernetes>, otherImage = image) => {
      await using cluster = await startCluster(more)
      const { problems } = await openKubernetes({ folder, image: otherImage, runtime: null }).probe()
      assert.equal(cluster.pods.size, 0)
      return problems.join(' ')
    }
    const right =
      /pods is forbidden.* Give the worker's service account the right to create pods in the namespace runwright/
    assert.match(await problemsOf({ forbidden: ['create pods'] }), right)
    assert.match(await problemsOf({ forbidden: ['create networkpolicies'] }), /right to create networkpolicies/)
    assert.match(await problemsOf({}, 'no-such-image'), /ImagePullBackOff: Back-off pulling image "no-such-image"/)
    assert.match(
      await problemsOf({ volume: '/var' }),
      /lies in no volume that a sandbox can share: give the worker a Pers/,
    )
    const { problems } = await open().probe()
    assert.match(problems.join(' '), /API server at http:.* does not answer: connect ECONNREFUSED/)
  })

  test('is not begun where the NetworkPolicy of its name lets something through', async () => {
    await using cluster = await startCluster()
    const metadata = { name: 'runwright-sandboxes' }
    cluster.policies.set(metadata.name, { metadata, spec: { podSelector: {}, policyTypes: ['Ingress'] } })
    assert.match(
      (await open().probe()).problems.join(' '),
      /NetworkPolicy runwright-sandboxes.* is another one than ours/,
    )
  })

  test('goes on while the API server is away, and is removed when that is back', async () => {
    await using cluster = await startCluster()
    const own = open()
    const sandbox = await own.create({ id: 'away', limits: testLimits })
    cluster.setAway(true)
    assert.equal(await sayIn(sandbox, 'echo on'), 'on')
    cluster.setAway(false)
    await sandbox.stop('done')
    assert.equal(cluster.pods.size, 0)
    await own.remove('away')
  })

  test('is lost, and says so, when somebody deletes it', async () => {
    await using cluster = await startCluster()
    const sandbox = await open().create({ id: 'deleted', limits: testLimits })
    const command = sandbox.exec({ shell: 'sleep 600', timeoutMs: 60_000 })
    const [name] = [...cluster.pods.keys()]
    await fetch(`${cluster.url}/api/v1/namespaces/runwright/pods/${name}`, { method: 'DELETE' })
    assert.equal((await command.result).reason, 'sandbox_lost')
    assert.deepEqual(await sandbox.closed, { reason: 'lost' })
    await open().remove('deleted')
  })

  test('says that its memory ran out', async () => {
    await using cluster = await startCluster()
    const limits = { ...testLimits, memoryBytes: 128 * 1024 * 1024 }
    const sandbox = await open().create({ id: 'greedy', limits })
    const hog = `python3 -c "x = bytearray(400 * 1024 * 1024); print(len(x))"`
    const { exitCode } = await sandbox.exec({ shell: hog, timeoutMs: 30_000 }).result
    assert.notEqual(exitCode, 0)
    await sandbox.stop('done')
    assert.equal(cluster.pods.size, 0)
    await open().remove('greedy')
  })

  test('is removed when its worker is gone; that of another process beside it stays', async () => {
    await using cluster = await startCluster()
    const sandbox = await open().create({ id: 'left', limits: testLimits })
    const [mine] = [...cluster.pods.values()]
    const withOwner = (name: string, owner: object) => {
      const pod = structuredClone(mine!)
      Object.assign(pod.metadata!, {
        name,
        uid: randomUUID(),
        annotations: { 'runwright.owner': JSON.stringify(owner) },
      })
      cluster.pods.set(name, pod)
      return pod
    }
    const namespace = readlinkSync('/proc/self/ns/pid')
    withOwner('of-a-dead-process', { ...recordOf(process.pid), startTime: '1', namespace })
    withOwner('of-a-container-before', { pid: 7, namespace: 'pid:[1]' }).status!.phase = 'Succeeded'
    withOwner('elsewhere', { pid: 7, namespace: 'pid:[1]' }).metadata!.labels!['runwright.place'] = 'elsewhere'
    // Another process of this worker, such as doctor's.
    assert.deepEqual(await open().list(), ['left'])
    assert.deepEqual([...cluster.pods.keys()].toSorted(), ['elsewhere', mine!.metadata!.name!].toSorted())
    assert.equal(await sayIn(sandbox, 'echo on'), 'on')
    cluster.pods.delete('elsewhere')
    await open().remove('left')
    assert.deepEqual(await sandbox.closed, { reason: 'lost' })
    assert.equal(cluster.pods.size, 0)
  })
}
