/** The contract of sandboxes, held by Pods. */
import os from 'node:os'
import { after, test } from 'node:test'
import { startEngine } from '#test/container-engine.ts'
import { startKubernetes } from '#test/kubernetes-server.ts'
import { testContract } from '#test/sandbox-contract.ts'
import { openKubernetes } from './kubernetes.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('a sandbox of kubernetes', { skip: engine }, () => {})
else {
  const cluster = await startKubernetes({ socket: engine.socket, volume: os.tmpdir() })
  after(cluster.stop)
  process.env.KUBECONFIG = cluster.kubeconfig
  testContract({
    name: 'kubernetes',
    open: ({ folder }) => openKubernetes({ folder, image: engine.image, runtime: null }),
    showsMountsReadOnly: true,
    isolates: true,
  })
}
