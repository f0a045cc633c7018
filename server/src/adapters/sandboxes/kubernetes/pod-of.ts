import { quoteWord } from '#base/quote-word.ts'
import { randomUUID } from 'node:crypto'
import type { V1Container, V1NetworkPolicy, V1Pod, V1SecurityContext, V1VolumeMount } from '@kubernetes/client-node'
import {
  agentCommand,
  agentSocketPath,
  OWN_TEMPORARY_BYTES_MAX,
  sharedMemoryBytes,
  socketPath,
} from '#adapters/sandboxes/bubblewrap-arguments.ts'
import { closedAgent, loaderPath } from '#adapters/sandboxes/closed-agent.ts'
import type { SandboxFiles } from '#adapters/sandboxes/sandbox-files.ts'
import type { CreateSandbox, SandboxPaths } from '#adapters/sandboxes/sandbox.ts'
import { limits as serviceLimits } from '#base/limits.ts'
import type { SharedVolumes } from './shared-volume.ts'

/** Where the words of this file are read: by NetworkPolicies, quotas and people. */
export const sandboxLabel = { 'app.kubernetes.io/managed-by': 'runwright', 'app.kubernetes.io/component': 'sandbox' }

const CPU_REQUEST = '250m'
const RUN_SIZE = '1Mi'
const LOADER_SIZE = '16Mi'
/** The service stops a sandbox at its lifetime; where nobody does, the cluster ends it after this much more. */
const OVERDUE_SECONDS = 60
const NAME_CHARACTERS_MAX = 40
const BLOCK_BYTES = 512

export const checkPath = '/run/runwright/check-network.mjs'
const environmentPath = '/run/runwright/environment'
const loaderFolder = '/run/runwright-loader'

/** What is the same for every Pod of a sandbox. */
export type PodSetting = {
  user: { uid: number; gid: number }
  image: string
  /** Name of a RuntimeClass; null: the cluster's own choice. */
  runtime: string | null
  /** Whether that gives each Pod a kernel of its own. */
  hasOwnKernel: boolean
  /** The worker's own, beside which sandboxes run. */
  worker: V1Pod
  shared: SharedVolumes
  /** What must be out of reach. */
  forbidden: string[]
  loader: string
}

export type PodOf = PodSetting & {
  labels: Record<string, string>
  annotations: Record<string, string>
  files: SandboxFiles
  paths: SandboxPaths
  spec: CreateSandbox
  /** Files of the worker, by where they are shown. */
  shown: Record<string, string>
  agentSocket: string
}

/**
 * A Pod that the restricted Pod Security Standard allows. Its files are those of the worker, by a volume that both have, so it runs
 * on the worker's node; and the agent in it speaks with the worker by a socket there, so that nothing of it is in the cluster's logs.
 */
export function podOf(options: PodOf): V1Pod {
  const { worker, files, spec, user, runtime, shared } = options
  const { nodeName, tolerations, imagePullSecrets, priorityClassName } = worker.spec ?? {}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `runwright-${files.id.slice(0, NAME_CHARACTERS_MAX)}-${randomUUID().slice(0, 8)}`,
      labels: { ...sandboxLabel, ...options.labels },
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false', ...options.annotations },
      // What the worker leaves behind goes with its Pod.
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name: worker.metadata!.name!, uid: worker.metadata!.uid!, controller: false },
      ],
    },
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: Math.ceil(spec.limits.lifetimeMs / 1_000) + OVERDUE_SECONDS,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostname: 'sandbox',
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['127.0.0.1'] },
      ...(runtime !== null && { runtimeClassName: runtime }),
      ...(nodeName && { affinity: onNode(nodeName) }),
      ...(tolerations && { tolerations }),
      ...(imagePullSecrets && { imagePullSecrets }),
      ...(priorityClassName && { priorityClassName }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user.uid,
        runAsGroup: user.gid,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      initContainers: [firstContainer(options)],
      containers: [agentContainer(options)],
      volumes: [
        ...shared.volumes,
        { name: 'runwright-run', emptyDir: { medium: 'Memory', sizeLimit: RUN_SIZE } },
        { name: 'runwright-loader', emptyDir: { medium: 'Memory', sizeLimit: LOADER_SIZE } },
        {
          name: 'runwright-shm',
          emptyDir: { medium: 'Memory', sizeLimit: String(sharedMemoryBytes(spec.limits.memoryBytes)) },
        },
        ...(files.isReadOnly
          ? [{ name: 'runwright-tmp', emptyDir: { medium: 'Memory', sizeLimit: String(OWN_TEMPORARY_BYTES_MAX) } }]
          : []),
      ],
    },
  }
}

/** No way into a sandbox's Pod, and none out of it. */
export const sandboxPolicy: V1NetworkPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'runwright-sandboxes', labels: sandboxLabel },
  spec: { podSelector: { matchLabels: sandboxLabel }, policyTypes: ['Ingress', 'Egress'] },
}

const onNode = (name: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
    },
  },
})

const confined: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

function common({ image, spec }: PodOf): Pick<V1Container, 'image' | 'securityContext' | 'resources'> & {
  terminationMessagePolicy: string
} {
  const memory = String(spec.limits.memoryBytes)
  return {
    image,
    securityContext: confined,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    resources: { requests: { cpu: CPU_REQUEST, memory }, limits: { memory } },
  }
}

/** Before anything of the run: the image's own loader is copied, and nothing may be reached over the network. */
function firstContainer(options: PodOf): V1Container {
  const { shared, shown, paths, loader, forbidden, hasOwnKernel } = options
  // gVisor runs no program that may not be read. There the agent is open to its commands.
  const mode = hasOwnKernel ? '0555' : '0111'
  const script = `cp "$1" ${loaderFolder}/loader && chmod ${mode} ${loaderFolder}/loader && shift && exec "$@"`
  const node = `${paths.nodeFolder}/node`
  return {
    name: 'check',
    ...common(options),
    command: ['/bin/sh', '-c', script, 'sh', loader, node, checkPath, ...forbidden],
    volumeMounts: [
      { name: 'runwright-run', mountPath: '/run' },
      { name: 'runwright-loader', mountPath: loaderFolder },
      ...[node, checkPath].map((target) => shared.mountOf(shown[target]!, target)),
    ],
  }
}

function agentContainer(options: PodOf): V1Container {
  const { files, paths, spec, shared, shown, agentSocket } = options
  const readOnly = files.isReadOnly
  const shownMounts = Object.entries(spec.mounts ?? {}).map(([name, source]) => [paths.mounts[name]!, source] as const)
  const sockets = [
    [agentSocketPath, agentSocket] as const,
    ...(spec.network ? [[socketPath, files.socket] as const] : []),
  ]
  const volumeMounts: V1VolumeMount[] = [
    { name: 'runwright-run', mountPath: '/run' },
    { name: 'runwright-shm', mountPath: '/dev/shm' },
    { name: 'runwright-loader', mountPath: loaderPath, subPath: 'loader', readOnly: true },
    shared.mountOf(files.workspace, paths.workspace, { readOnly: readOnly || files.isWorkspaceReadOnly }),
    shared.mountOf(files.home, paths.home, { readOnly }),
    ...(readOnly
      ? [{ name: 'runwright-tmp', mountPath: paths.temporary }]
      : [paths.temporary, '/var/tmp'].map((target) => shared.mountOf(files.temporary, target, { readOnly: false }))),
    // Read-only is the way to a socket, not what goes through it.
    ...[...Object.entries(shown), ...shownMounts, ...sockets].map(([target, source]) => shared.mountOf(source, target)),
  ]
  return {
    name: 'agent',
    ...common(options),
    workingDir: '/',
    command: ['/bin/sh', '-c', firstScript(options), 'sh', ...closedAgent(agentCommand(paths))],
    volumeMounts,
  }
}

/** The image's variables, without those of the cluster, and over them those of every sandbox. They are in a file: a Pod's own are for all to read. */
const firstScript = ({
  spec,
}: PodOf) => `for name in HOSTNAME container $(env | sed -n 's/^\\(KUBERNETES_[A-Za-z0-9_]*\\)=.*/\\1/p'); do unset "$name"; done
image=$PATH
. ${environmentPath}
export PATH="$image:$PATH"
ulimit -n ${serviceLimits.sandboxProcessOpenFiles}
ulimit -c 0
ulimit -f ${Math.floor(spec.limits.diskBytes / BLOCK_BYTES)}
exec "$@"`

/** What that file says. */
export function environmentFile(variables: Record<string, string>): [target: string, content: string] {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteWord(value)}\n`)
  return [environmentPath, lines.join('')]
}
