/** A sandbox's Pod as it is made for a run, beside a worker with its data on a claim. */
import type { V1Pod } from '@kubernetes/client-node'
import { pathsInside } from '#adapters/sandboxes/bubblewrap-arguments.ts'
import { podOf, type PodOf } from '#adapters/sandboxes/kubernetes/pod-of.ts'
import { sharedVolumesOf } from '#adapters/sandboxes/kubernetes/shared-volume.ts'
import { filesApart, filesOf, type SandboxFiles } from '#adapters/sandboxes/sandbox-files.ts'

const MiB = 1024 * 1024
export const sampleWorker: V1Pod = {
  metadata: { name: 'worker-0', uid: 'uid-of-worker' },
  spec: {
    nodeName: 'node-7',
    tolerations: [{ key: 'agents', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'worker-data' } },
      { name: 'scratch', emptyDir: {} },
    ],
    containers: [
      {
        name: 'worker',
        volumeMounts: [
          { name: 'data', mountPath: '/data', subPath: 'worker' },
          { name: 'scratch', mountPath: '/data/scratch' },
        ],
      },
    ],
  },
}
const files = filesOf('/data/sandboxes', 'run-1-2')
const mounts = { objects: '/data/mirrors/7/objects' }
const paths = pathsInside(mounts, { hasRipgrep: true })
export const podOptions: PodOf = {
  user: { uid: 64_900, gid: 64_900 },
  image: 'work:1',
  runtime: null,
  hasOwnKernel: false,
  worker: sampleWorker,
  shared: sharedVolumesOf(sampleWorker),
  forbidden: ['10.0.0.1:443'],
  loader: '/lib64/ld-linux-x86-64.so.2',
  labels: { 'runwright.sandbox': 'run-1-2' },
  annotations: {},
  files,
  paths,
  spec: {
    id: 'run-1-2',
    mounts,
    network: { connect: () => {} },
    bait: { AWS_SECRET_ACCESS_KEY: 'bait' },
    limits: { memoryBytes: 512 * MiB, processes: 64, diskBytes: 64 * MiB, lifetimeMs: 90_500 },
  },
  shown: {
    '/run/runwright/bin/node': '/data/sandboxes/.programs/node-1',
    '/run/runwright/check-network.mjs': '/data/sandboxes/.programs/check-1',
    '/etc/passwd': '/data/sandboxes/run-1-2/etc/passwd',
  },
  agentSocket: '/data/sandboxes/run-1-2/agent.sock',
}
type SamplePod = Partial<Pick<PodOf, 'runtime' | 'hasOwnKernel'>> &
  Partial<Pick<SandboxFiles, 'isReadOnly' | 'isWorkspaceReadOnly'>>

export function samplePod({ isReadOnly = false, isWorkspaceReadOnly = false, ...more }: SamplePod = {}): V1Pod {
  const held = { ...filesApart(files, null), isReadOnly, isWorkspaceReadOnly }
  return podOf({ ...podOptions, ...more, files: isReadOnly || isWorkspaceReadOnly ? held : files })
}
