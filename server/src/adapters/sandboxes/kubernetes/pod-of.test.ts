import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { V1Pod } from '@kubernetes/client-node'
import { podOptions, samplePod, sampleWorker } from '#test/sample-pod.ts'
import { environmentFile, sandboxLabel, sandboxPolicy } from './pod-of.ts'

const pod = samplePod()
const containers = [...pod.spec!.initContainers!, ...pod.spec!.containers]
const mountAt = (made: V1Pod, mountPath: string) =>
  made.spec!.containers[0]!.volumeMounts!.find((mount) => mount.mountPath === mountPath)

test('a Pod is what the restricted Pod Security Standard allows', () => {
  const { spec } = pod
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'serviceAccountName'] as const)
    assert.equal(spec![field], undefined)
  assert.partialDeepStrictEqual(spec!.securityContext, {
    runAsNonRoot: true,
    runAsUser: 64_900,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  // It would change the owner of everything on the worker's volume.
  assert.equal(spec!.securityContext!.fsGroup, undefined)
  for (const container of containers)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  for (const { hostPath } of spec!.volumes!) assert.equal(hostPath, undefined)
})

test('it has no rights, no names to look up, no way in or out, and ends by itself', () => {
  assert.partialDeepStrictEqual(pod.spec, {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['127.0.0.1'] },
    activeDeadlineSeconds: 151,
    terminationGracePeriodSeconds: 0,
  })
  assert.deepEqual(sandboxPolicy.spec, {
    podSelector: { matchLabels: sandboxLabel },
    policyTypes: ['Ingress', 'Egress'],
  })
  assert.partialDeepStrictEqual(pod.metadata!.labels!, sandboxLabel)
  assert.deepEqual(
    pod.metadata!.ownerReferences?.map(({ uid }) => uid),
    ['uid-of-worker'],
  )
  const { command } = pod.spec!.initContainers![0]!
  assert.deepEqual(command!.slice(-3), ['/run/runwright/bin/node', '/run/runwright/check-network.mjs', '10.0.0.1:443'])
})

test('it runs on the node of its worker, and takes of its volume only what is its own', () => {
  assert.match(JSON.stringify(pod.spec!.affinity), /"metadata\.name".*"node-7"/)
  assert.deepEqual(pod.spec!.tolerations, sampleWorker.spec!.tolerations)
  assert.deepEqual(pod.spec!.imagePullSecrets, [{ name: 'registry' }])
  const shared = containers.flatMap(({ volumeMounts }) => volumeMounts!.filter(({ name }) => name === 'data'))
  assert.ok(shared.length > 5)
  for (const { subPath } of shared)
    assert.match(subPath!, /^worker\/(?:sandboxes\/(?:run-1-2|\.programs)|mirrors\/7\/objects)/)
  assert.ok(!pod.spec!.volumes!.some(({ name }) => name === 'scratch'))
  assert.throws(() => podOptions.shared.mountOf('/etc/passwd', '/x'), /lies in no volume that a sandbox can share/)
  assert.throws(() => podOptions.shared.mountOf('/data', '/x'), /lies in no volume/)
})

test('only workspace, home and /tmp can be written to, and nothing for who may only look', () => {
  const writable = (made: V1Pod) =>
    made.spec!.containers[0]!.volumeMounts!.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath)
  assert.deepEqual(writable(pod), ['/run', '/dev/shm', '/workspace', '/home/agent', '/tmp', '/var/tmp'])
  const looking = samplePod({ isReadOnly: true })
  assert.deepEqual(writable(looking), ['/run', '/dev/shm', '/tmp'])
  assert.equal(mountAt(looking, '/tmp')!.name, 'runwright-tmp')
  const planning = samplePod({ isWorkspaceReadOnly: true })
  assert.deepEqual(writable(planning), ['/run', '/dev/shm', '/home/agent', '/tmp', '/var/tmp'])
})

test('what a sandbox is told stands in a file and not in the Pod, which many may read', () => {
  const [target, content] = environmentFile({ TOKEN: `it's "$HOME"`, A: '1' })
  assert.equal(content, `export TOKEN='it'\\''s "$HOME"'\nexport A='1'\n`)
  assert.ok(JSON.stringify(pod).includes(target))
  assert.ok(!JSON.stringify(pod).includes('bait'))
})

test('memory is a limit and a request alike, and a RuntimeClass is named where one is chosen', () => {
  for (const { resources } of containers) assert.equal(resources!.limits!.memory, resources!.requests!.memory)
  assert.ok(!('runtimeClassName' in pod.spec!))
  const apart = samplePod({ runtime: 'gvisor', hasOwnKernel: true })
  assert.equal(apart.spec!.runtimeClassName, 'gvisor')
  assert.match(apart.spec!.initContainers![0]!.command![2]!, /chmod 0555/)
})
