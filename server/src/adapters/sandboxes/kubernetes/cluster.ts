/** A Kubernetes API server, and the one namespace that the service has rights in. What fails is said for an operator. */
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { CoreV1Api, NetworkingV1Api, V1NetworkPolicy, V1Pod } from '@kubernetes/client-node'
import { type AgentSandboxes, openAgentSandboxes } from './agent-sandbox.ts'
import { type ClusterCall, ifNone, ifThere, openCall } from './cluster-call.ts'

const CALL_MS_MAX = 15_000
const REMOVE_MS_MAX = 20_000
const REMOVE_PAUSE_MS = 100

export type Cluster = {
  /** `host:port` of the API server, which nothing in a sandbox may reach. */
  readonly apiServer: string
  /** The Pod that this process runs in. */
  readOwnPod(): Promise<V1Pod>
  /** Resolves when it is there. Where agent-sandbox is installed, its controller makes it. */
  createPod(pod: V1Pod): Promise<void>
  /** Null where there is none. */
  readPod(name: string): Promise<V1Pod | null>
  /** Also those that a controller has yet to make. */
  listPods(labels: Record<string, string>): Promise<V1Pod[]>
  /** Kills what runs in it. Resolves when it is gone; rejects where it stays, because its node does not answer. */
  removePod(name: string): Promise<void>
  /** Makes it where it is not there. Rejects where one of its name forbids something else. */
  ensurePolicy(policy: V1NetworkPolicy): Promise<void>
}

/** As the service account of this Pod says, or the file that KUBECONFIG names. */
export async function openCluster(): Promise<Cluster> {
  // A large library, which most processes never use.
  const library = await import('@kubernetes/client-node')
  const settings = new library.KubeConfig()
  settings.loadFromDefault()
  const server = settings.getCurrentCluster()!.server
  const namespace = settings.getContextObject(settings.currentContext)?.namespace?.trim() ?? 'default'
  const configuration = library.createConfiguration({
    baseServer: new library.ServerConfiguration(server, {}),
    authMethods: { default: settings },
    promiseMiddleware: [
      {
        pre: async (request) => {
          request.setSignal(AbortSignal.timeout(CALL_MS_MAX))
          return request
        },
        post: async (response) => response,
      },
    ],
  })
  const core = new library.CoreV1Api(configuration)
  const networking = new library.NetworkingV1Api(configuration)
  const call = openCall({ server, namespace })
  const readPod = (name: string) =>
    call('get pods', core.readNamespacedPod({ namespace, name })).catch(ifNone<V1Pod | null>(null))
  const [apis, custom] = [new library.ApisApi(configuration), new library.CustomObjectsApi(configuration)]
  const sandboxes = await openAgentSandboxes({ apis, custom, namespace, call, readPod })
  const url = new URL(server)
  return clusterOf(
    { core, networking, sandboxes, namespace, call, readPod },
    `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`,
  )
}

type Api = {
  core: CoreV1Api
  networking: NetworkingV1Api
  sandboxes: AgentSandboxes | null
  namespace: string
  call: ClusterCall
  readPod: Cluster['readPod']
}

function clusterOf({ core, networking, sandboxes, namespace, call, readPod }: Api, apiServer: string): Cluster {
  // What sandboxes take of it does not change while it lives.
  let own: V1Pod | undefined
  return {
    apiServer,
    readOwnPod: async () => {
      const name = os.hostname()
      own ??= (await readPod(name)) ?? undefined
      if (own) return own
      throw new Error(
        `The namespace ${namespace} has no Pod ${name}: sandboxes are Pods beside the one that the worker runs in, so it must run in the cluster, without hostNetwork.`,
      )
    },
    createPod: async (body) =>
      sandboxes
        ? sandboxes.create(body)
        : void (await call('create pods', core.createNamespacedPod({ namespace, body }))),
    readPod,
    listPods: async (labels) => {
      const labelSelector = Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(',')
      const { items } = await call('list pods', core.listNamespacedPod({ namespace, labelSelector }))
      const names = new Set(items.map(({ metadata }) => metadata!.name))
      const promised = (await sandboxes?.list(labelSelector)) ?? []
      return [...items, ...promised.filter(({ metadata }) => !names.has(metadata!.name))]
    },
    removePod: async (name) => {
      const deadline = Date.now() + REMOVE_MS_MAX
      // First, or its controller makes another Pod.
      await sandboxes?.remove(name)
      const gone = call('delete pods', core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 }))
      await gone.catch(ifNone(null))
      while (await readPod(name)) {
        if (Date.now() > deadline) throw new Error(`The Pod ${name} does not end: its node may not answer.`)
        await delay(REMOVE_PAUSE_MS)
      }
    },
    ensurePolicy: async (body) => {
      const name = body.metadata!.name!
      const known = await call(
        'get networkpolicies',
        networking.readNamespacedNetworkPolicy({ namespace, name }),
      ).catch(ifNone(null))
      if (known === null) {
        const made = call('create networkpolicies', networking.createNamespacedNetworkPolicy({ namespace, body }))
        // Another worker makes it at this moment.
        await made.catch(ifThere(null))
      } else if (!isDeepStrictEqual(plain(known.spec), plain(body.spec)))
        throw new Error(`The NetworkPolicy ${name} in ${namespace} is another one than ours: remove it.`)
    },
  }
}

/** Without what the server adds where nothing was said: empty lists. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (Array.isArray(each) && each.length === 0 ? undefined : each)))
