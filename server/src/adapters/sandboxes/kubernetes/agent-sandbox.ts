/**
 * The Sandbox resource of the Kubernetes project agent-sandbox, where it is installed: a controller makes the Pod of each, and removes
 * it when its time is over. Fields as of its release 0.5, https://github.com/kubernetes-sigs/agent-sandbox.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ApisApi, CustomObjectsApi, V1ObjectMeta, V1Pod, V1PodSpec } from '@kubernetes/client-node'
import { type ClusterCall, ifForbidden, ifNone } from './cluster-call.ts'

const group = 'agents.x-k8s.io'
const plural = 'sandboxes'
const kind = 'Sandbox'
/** What we write is the same in both. */
const versions = ['v1beta1', 'v1alpha1']
/** The controller waits for nothing before it makes a Pod. */
const POD_MS_MAX = 20_000
const POLL_MS = 100
/** Later than the Pod ends by itself, also where the clocks of worker and cluster differ: only what has lost its worker gets so old. */
const OVERDUE_SECONDS = 3_600

export type AgentSandbox = {
  apiVersion: string
  kind: typeof kind
  metadata: V1ObjectMeta
  spec: {
    podTemplate: { metadata: Pick<V1ObjectMeta, 'labels' | 'annotations'>; spec: V1PodSpec }
    service: boolean
    shutdownTime: string
    shutdownPolicy: 'Delete' | 'Retain'
  }
  status?: { conditions?: { type: string; status: string; message?: string }[] }
}

export type AgentSandboxes = {
  /** Resolves when the Pod is there. */
  create(pod: V1Pod): Promise<void>
  /** Its Pod goes later. */
  remove(name: string): Promise<void>
  /** Each as its Pod will be. */
  list(labels: string): Promise<V1Pod[]>
}

type Open = {
  apis: ApisApi
  custom: CustomObjectsApi
  namespace: string
  call: ClusterCall
  readPod: (name: string) => Promise<V1Pod | null>
}

/** Null where it is not installed, or this worker has no right to it. */
export async function openAgentSandboxes({
  apis,
  custom,
  namespace,
  call,
  readPod,
}: Open): Promise<AgentSandboxes | null> {
  const none = { groups: [] }
  const { groups } = await call('list API groups', apis.getAPIVersions()).catch(ifNone(none)).catch(ifForbidden(none))
  const served = groups.find(({ name }) => name === group)?.versions.map(({ version }) => version) ?? []
  const version = versions.find((one) => served.includes(one))
  if (version === undefined) return null
  const resource = { group, version, namespace, plural }
  const list = (labelSelector: string) =>
    call('list sandboxes', custom.listNamespacedCustomObject({ ...resource, labelSelector })) as Promise<{
      items: AgentSandbox[]
    }>
  if (!(await list('').catch(ifForbidden(null)))) return null
  return {
    create: async (pod) => {
      const body = sandboxOf(pod, `${group}/${version}`)
      const name = body.metadata.name!
      await call('create sandboxes', custom.createNamespacedCustomObject({ ...resource, body }))
      const deadline = Date.now() + POD_MS_MAX
      while (!(await readPod(name))) {
        if (Date.now() > deadline) throw new Error(await explainNone(name))
        await delay(POLL_MS)
      }
    },
    remove: async (name) =>
      call('delete sandboxes', custom.deleteNamespacedCustomObject({ ...resource, name })).then(
        () => {},
        ifNone(undefined),
      ),
    list: async (labels) => (await list(labels)).items.map(({ metadata }) => ({ metadata })),
  }

  async function explainNone(name: string): Promise<string> {
    const got = await call('get sandboxes', custom.getNamespacedCustomObject({ ...resource, name })).catch(ifNone(null))
    const ready = (got as AgentSandbox | null)?.status?.conditions?.find(({ type }) => type === 'Ready')
    const words = ready?.message ? `it says "${ready.message}"` : 'it may not be running'
    return (
      `The controller of agent-sandbox has made no Pod of the Sandbox ${name} in ${POD_MS_MAX / 1_000} s: ${words}. ` +
      'Without the right to list sandboxes the worker starts Pods itself: worker.kubernetes.agentSandbox of the chart.'
    )
  }
}

function sandboxOf({ metadata, spec }: V1Pod, apiVersion: string): AgentSandbox {
  const { labels, annotations } = metadata!
  const endsAt = new Date(Date.now() + (spec!.activeDeadlineSeconds! + OVERDUE_SECONDS) * 1_000)
  return {
    apiVersion,
    kind,
    metadata: metadata!,
    spec: {
      podTemplate: { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) }, spec: spec! },
      // Nobody connects to a sandbox.
      service: false,
      shutdownTime: endsAt.toISOString(),
      shutdownPolicy: 'Delete',
    },
  }
}
