/**
 * The part of a Kubernetes API server that sandboxes use, for tests: it starts Pods by this machine's Podman as a kubelet would,
 * with volumes by sub-path and init containers before the others. A NetworkPolicy that selects a Pod leaves it no network. Where it
 * is asked to, it serves the Sandboxes of agent-sandbox too, and does what their controller does.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import Docker from 'dockerode'
import type { AgentSandbox } from '#adapters/sandboxes/kubernetes/agent-sandbox.ts'
import type { V1Container, V1ContainerStatus, V1NetworkPolicy, V1Pod } from '@kubernetes/client-node'

export type StartKubernetes = {
  /** Of the container engine that stands for the node. */
  socket: string
  /** What of this machine is the worker's volume. */
  volume: string
  /** Whether NetworkPolicies hold; some clusters accept them and do nothing. */
  enforcesPolicies?: boolean
  /** Calls that the service account has no right to, such as `create pods`. */
  forbidden?: string[]
  /** The version of agent-sandbox's resource that it serves. */
  agentSandbox?: 'v1beta1' | 'v1alpha1'
  /** What the controller says in place of making Pods. */
  controllerSays?: string
}

export type TestKubernetes = {
  kubeconfig: string
  url: string
  pods: Map<string, V1Pod>
  /** Every Pod that was asked for, also those that are gone. */
  created: V1Pod[]
  policies: Map<string, V1NetworkPolicy>
  sandboxes: Map<string, AgentSandbox>
  worker: V1Pod
  /** Refuses connections until it is called again. */
  setAway(isAway: boolean): void
  stop(): Promise<void>
}

const namespace = 'runwright'
const END_PAUSE_MS = 500
const CONTROLLER_MS = 100

export async function startKubernetes(options: StartKubernetes): Promise<TestKubernetes> {
  const { socket, volume, enforcesPolicies = true, forbidden = [], agentSandbox, controllerSays } = options
  const docker = new Docker({ socketPath: socket })
  const folder = path.join(volume, `kubelet-${randomUUID().slice(0, 8)}`)
  mkdirSync(folder, { mode: 0o711 })
  const [pods, policies, created] = [new Map<string, V1Pod>(), new Map<string, V1NetworkPolicy>(), [] as V1Pod[]]
  const sandboxes = new Map<string, AgentSandbox>()
  let isAway = false
  const worker = workerPod(volume)
  const node: Node = { docker, folder, volume, isClosed: (pod) => enforcesPolicies && isSelected(pod, policies) }

  const startPod = (pod: V1Pod) => {
    pod.metadata!.uid = randomUUID()
    pods.set(pod.metadata!.name!, pod)
    created.push(structuredClone(pod))
    void runPod(node, pod)
  }
  const ending = new Set<string>()
  const removePod = async (name: string) => {
    if (ending.has(name)) return
    ending.add(name)
    await endPod(node, pods.get(name)!)
    pods.delete(name)
    ending.delete(name)
  }
  const isOver = ({ spec }: AgentSandbox) => Date.parse(spec.shutdownTime) < Date.now()

  /** As the controller of agent-sandbox: each Sandbox has its Pod until its time is over, and no Pod outlives its Sandbox. */
  function control(): void {
    for (const sandbox of sandboxes.values()) {
      const name = sandbox.metadata.name!
      if (isOver(sandbox)) sandboxes.delete(name)
      else if (controllerSays !== undefined)
        sandbox.status = { conditions: [{ type: 'Ready', status: 'False', message: controllerSays }] }
      else if (!pods.has(name)) startPod(podOfSandbox(sandbox))
    }
    for (const { metadata } of pods.values()) {
      const owner = metadata!.ownerReferences?.find(({ kind }) => kind === 'Sandbox')
      if (owner && sandboxes.get(owner.name)?.metadata.uid !== owner.uid) void removePod(metadata!.name!)
    }
  }
  const controller = setInterval(control, CONTROLLER_MS).unref()

  async function answer(request: IncomingMessage): Promise<[status: number, body: object]> {
    const url = new URL(request.url!, 'http://localhost')
    if (/^\/apis\/?$/.test(url.pathname) && forbidden.includes('list groups')) return failure(403, 'forbidden')
    if (/^\/apis\/?$/.test(url.pathname))
      return [200, { kind: 'APIGroupList', apiVersion: 'v1', groups: agentSandbox ? [groupOf(agentSandbox)] : [] }]
    const match = /^\/(api\/v1|apis\/[\w.-]+\/\w+)\/namespaces\/runwright\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname)
    const kinds: Record<string, Map<string, V1Pod | V1NetworkPolicy | AgentSandbox>> = {
      'api/v1 pods': pods,
      'apis/networking.k8s.io/v1 networkpolicies': policies,
      ...(agentSandbox && { [`apis/agents.x-k8s.io/${agentSandbox} sandboxes`]: sandboxes }),
    }
    const kept = match && kinds[`${match[1]} ${match[2]}`]
    if (!kept) return failure(404, `the server could not find the requested resource ${url.pathname}`)
    const [resource, name] = [match[2]!, match[3]]
    const verb = { GET: name ? 'get' : 'list', POST: 'create', DELETE: 'delete' }[request.method!]!
    if (forbidden.includes(`${verb} ${resource}`))
      return failure(403, `${resource} is forbidden: User "worker" cannot ${verb} resource "${resource}"`)
    if (verb === 'create') {
      const made = (await json(request)) as V1Pod & V1NetworkPolicy & AgentSandbox
      const key = made.metadata.name!
      if (kept.has(key)) return failure(409, `${resource} "${key}" already exists`)
      if (resource === 'pods') startPod(made)
      else kept.set(key, { ...made, metadata: { ...made.metadata, uid: randomUUID() } })
      return [201, made]
    }
    if (verb === 'list') {
      const selector = url.searchParams.get('labelSelector')
      const pairs = selector ? selector.split(',').map((pair) => pair.split('=')) : []
      const items = [...kept.values()].filter(({ metadata }) =>
        pairs.every(([label, value]) => metadata?.labels?.[label!] === value),
      )
      return [200, { kind: 'List', apiVersion: 'v1', items }]
    }
    const found = resource === 'pods' && name === os.hostname() ? worker : kept.get(name!)
    if (!found) return failure(404, `${resource} "${name}" not found`)
    if (verb === 'delete') {
      if (resource === 'pods') void removePod(name!)
      else kept.delete(name!)
    }
    return [200, found]
  }

  const server = createServer((request, response) => {
    if (isAway) return void request.destroy()
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kubeconfig = path.join(os.tmpdir(), `kubeconfig-${randomUUID()}`)
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(url)))
  return {
    kubeconfig,
    url,
    pods,
    created,
    policies,
    sandboxes,
    worker,
    setAway: (away) => (isAway = away),
    stop: async () => {
      clearInterval(controller)
      await Promise.all([...pods.values()].map((pod) => endPod(node, pod)))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const failure = (code: number, message: string): [number, object] => [
  code,
  { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
]

const groupOf = (version: string) => {
  const one = { groupVersion: `agents.x-k8s.io/${version}`, version }
  return { name: 'agents.x-k8s.io', versions: [one], preferredVersion: one }
}

/** As its controller makes it: of the template's metadata only labels and annotations, and none that are the controller's own. */
function podOfSandbox({ apiVersion, kind, metadata, spec }: AgentSandbox): V1Pod {
  const { name, uid, namespace: of } = metadata
  const own = (fields: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => !/^(extensions\.)?agents\.x-k8s\.io\//.test(key)))
  return structuredClone({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: name!,
      ...(of && { namespace: of }),
      labels: { ...own(spec.podTemplate.metadata.labels), 'agents.x-k8s.io/sandbox-name-hash': 'hash' },
      annotations: own(spec.podTemplate.metadata.annotations),
      ownerReferences: [{ apiVersion, kind, name: name!, uid: uid!, controller: true, blockOwnerDeletion: true }],
    },
    spec: spec.podTemplate.spec,
  })
}

const kubeconfigOf = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'worker', user: { token: 'service-account-token' } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'worker', namespace } }],
})

/** As the chart makes it: its data on a claim. */
const workerPod = (volume: string): V1Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: os.hostname(), uid: randomUUID(), namespace },
  spec: {
    nodeName: 'node-1',
    tolerations: [{ key: 'runwright', operator: 'Exists' }],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'worker-data' } },
      { name: 'scratch', emptyDir: {} },
    ],
    containers: [
      {
        name: 'worker',
        volumeMounts: [
          { name: 'data', mountPath: volume },
          { name: 'scratch', mountPath: '/scratch' },
        ],
      },
    ],
  },
})

const isSelected = ({ metadata }: V1Pod, policies: Map<string, V1NetworkPolicy>) =>
  [...policies.values()].some(({ spec }) =>
    Object.entries(spec?.podSelector?.matchLabels ?? {}).every(([name, value]) => metadata?.labels?.[name] === value),
  )

type Node = { docker: Docker; folder: string; volume: string; isClosed: (pod: V1Pod) => boolean }

const containerName = (pod: V1Pod, { name }: V1Container) => `${pod.metadata!.uid}-${name}`

async function runPod(node: Node, pod: V1Pod): Promise<void> {
  const { initContainers = [], containers } = pod.spec!
  const statuses: V1ContainerStatus[] = []
  pod.status = { phase: 'Pending', initContainerStatuses: statuses }
  try {
    for (const container of initContainers) {
      const status = await runContainer(node, pod, container)
      statuses.push(status)
      if (status.state?.terminated?.exitCode !== 0) return void (pod.status = { ...pod.status, phase: 'Failed' })
    }
    const running = runContainer(node, pod, containers[0]!)
    pod.status = { ...pod.status, phase: 'Running' }
    const status = await running
    const phase = status.state?.terminated?.exitCode === 0 ? 'Succeeded' : 'Failed'
    pod.status = { ...pod.status, phase, containerStatuses: [status] }
  } catch (error) {
    const { hasNoImage, message } = error as { hasNoImage?: boolean; message: string }
    const waiting = { reason: hasNoImage ? 'ImagePullBackOff' : 'CreateContainerError', message }
    pod.status.containerStatuses = [{ name: containers[0]!.name, state: { waiting } } as V1ContainerStatus]
  }
}

/** Resolves when it has ended. */
async function runContainer(node: Node, pod: V1Pod, container: V1Container): Promise<V1ContainerStatus> {
  const made = await node.docker.createContainer(optionsOf(node, pod, container)).catch((error: Error) => {
    if (!/no such image/i.test(error.message)) throw error
    throw Object.assign(new Error(`Back-off pulling image "${container.image}"`), { hasNoImage: true })
  })
  await made.start()
  await made.wait()
  const { State } = await made.inspect()
  const logs = await made.logs({ stdout: true, stderr: true })
  // Eight bytes before each piece say whose it is.
  const message = logs.toString('latin1').replace(/^.{8}/s, '')
  const reason = State.OOMKilled ? 'OOMKilled' : State.ExitCode === 0 ? 'Completed' : 'Error'
  return {
    name: container.name,
    state: { terminated: { exitCode: State.ExitCode, reason, ...(State.ExitCode !== 0 && { message }) } },
  } as V1ContainerStatus
}

function optionsOf(node: Node, pod: V1Pod, container: V1Container): Docker.ContainerCreateOptions {
  const { spec, metadata } = pod
  const sources = Object.fromEntries(
    (spec!.volumes ?? []).map(({ name, emptyDir }) => [
      name,
      emptyDir ? path.join(node.folder, metadata!.uid!, name) : node.volume,
    ]),
  )
  for (const source of Object.values(sources)) mkdirSync(source, { recursive: true, mode: 0o777 })
  for (const { name, emptyDir } of spec!.volumes ?? []) if (emptyDir) openToAll(sources[name]!)
  const { runAsUser, runAsGroup } = spec!.securityContext!
  const security = container.securityContext!
  return {
    name: containerName(pod, container),
    Image: container.image!,
    Entrypoint: container.command!,
    Cmd: [],
    WorkingDir: container.workingDir ?? '/',
    User: `${runAsUser}:${runAsGroup}`,
    Hostname: spec!.hostname!,
    Env: ['KUBERNETES_SERVICE_HOST=10.0.0.1', 'KUBERNETES_SERVICE_PORT=443'],
    HostConfig: {
      NetworkMode: node.isClosed(pod) ? 'none' : 'host',
      ReadonlyRootfs: security.readOnlyRootFilesystem!,
      CapDrop: security.capabilities!.drop!,
      SecurityOpt: ['no-new-privileges'],
      Memory: Number(container.resources!.limits!.memory),
      MemorySwap: Number(container.resources!.limits!.memory),
      // The engine's own defaults may lie above what this process may give.
      Ulimits: [
        { Name: 'nofile', Soft: 8_192, Hard: 8_192 },
        { Name: 'nproc', Soft: 16_384, Hard: 16_384 },
      ],
      Mounts: (container.volumeMounts ?? []).map(({ name, mountPath, subPath = '', readOnly = false }) => ({
        Type: 'bind',
        Source: path.join(sources[name]!, subPath),
        Target: mountPath,
        ReadOnly: readOnly,
      })),
    },
  }
}

function openToAll(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
}

async function endPod({ docker, folder }: Node, pod: V1Pod): Promise<void> {
  for (const container of [...(pod.spec!.initContainers ?? []), ...pod.spec!.containers])
    await docker
      .getContainer(containerName(pod, container))
      .remove({ force: true, v: true })
      .catch(async (error: { statusCode?: number }) => {
        if (error.statusCode === 404) return
        // It ends by itself at this moment.
        await delay(END_PAUSE_MS)
        await docker.getContainer(containerName(pod, container)).remove({ force: true, v: true })
      })
  rmSync(path.join(folder, pod.metadata!.uid!), { recursive: true, force: true })
}
