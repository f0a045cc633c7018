import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { V1Pod } from '@kubernetes/client-node'
import { agentPath, environmentInside, pathsInside, proxyUrlInside } from '#adapters/sandboxes/bubblewrap-arguments.ts'
import { loaders } from '#adapters/sandboxes/closed-agent.ts'
import { labelsOf, ownerLabel } from '#adapters/sandboxes/container/container-labels.ts'
import { systemFilesOf } from '#adapters/sandboxes/container/container-options.ts'
import { copyOnce, findPrograms } from '#adapters/sandboxes/container/find-programs.ts'
import { writeSystemFiles } from '#adapters/sandboxes/container/write-system-files.ts'
import type { Launched } from '#adapters/sandboxes/local-launch.ts'
import type { SandboxProcesses } from '#adapters/sandboxes/local-sandbox.ts'
import { userOf } from '#adapters/sandboxes/owner-for.ts'
import type { SandboxFiles, SandboxOwner } from '#adapters/sandboxes/sandbox-files.ts'
import type { CreateSandbox } from '#adapters/sandboxes/sandbox.ts'
import type { EnforcementReport } from '#base/enforcement.ts'
import { StreamProcess } from '#adapters/sandboxes/stream-process.ts'
import { listenForAgent, type AgentSocket } from './agent-socket.ts'
import type { Cluster } from './cluster.ts'
import { checkPath, environmentFile, podOf, sandboxPolicy, type PodSetting } from './pod-of.ts'
import { hasRunOutOfMemory, problemOf, waitOf } from './pod-state.ts'
import { sharedVolumesOf } from './shared-volume.ts'

/** An image may have to be pulled first. */
const START_MS_MAX = 180_000
const POLL_MS = 200

export type KubernetesSetting = {
  folder: string
  image: string
  /** Name of a RuntimeClass. */
  runtime: string | null
  owner: SandboxOwner
  /** Opened at the first use. */
  cluster: () => Promise<Cluster>
  /** Names of the Pods that this process has started and not yet removed. */
  held: Set<string>
}

/** Who gives each Pod a kernel of its own, by the names that their RuntimeClasses have. */
export const hasOwnKernel = ({ runtime }: Pick<KubernetesSetting, 'runtime'>): boolean =>
  /gvisor|runsc|kata/.test(runtime ?? '')

/** The cluster counts memory and weighs processors by control groups; how many processes a Pod may have, no field says. */
export const enforcement: EnforcementReport = {
  memory: 'kernel',
  cpu: 'kernel',
  processes: 'none',
  disk: 'polled',
  network: 'kernel',
  kill: 'kernel',
}

/** Starts a Pod with the exec agent in it. */
export async function launchPod(
  setting: KubernetesSetting,
  files: SandboxFiles,
  spec: CreateSandbox,
): Promise<Launched> {
  const cluster = await setting.cluster()
  await cluster.ensurePolicy(sandboxPolicy)
  const own = findPrograms(setting.folder, { isInContainer: true })
  const paths = pathsInside(spec.mounts ?? {}, { hasRipgrep: own.ripgrep !== null })
  const pods = await podSettingOf(setting, cluster)
  const { [ownerLabel]: owner = '', ...labels } = labelsOf({
    folder: setting.folder,
    id: files.id,
    lifetimeMs: spec.limits.lifetimeMs,
  })
  const shown = {
    [`${paths.nodeFolder}/node`]: own.node,
    [agentPath]: own.agent,
    [checkPath]: copyOnce(fileURLToPath(new URL('check-network.mjs', import.meta.url)), setting.folder),
    ...(own.ripgrep && paths.ripgrep && { [paths.ripgrep]: own.ripgrep }),
    ...writeSystemFiles(files, [
      ...systemFilesOf({ ...pods, spec }),
      environmentFile(environmentInside({ paths, network: spec.network ?? null, bait: spec.bait ?? {} })),
    ]),
  }
  const agent = await listenForAgent(files, setting.owner)
  try {
    const pod = podOf({
      ...pods,
      labels: { ...labels, ...workerLabel(pods.worker) },
      // It is longer than a label may be.
      annotations: { [ownerLabel]: owner },
      files,
      paths,
      spec,
      shown,
      agentSocket: agent.path,
    })
    return {
      processes: await startPod(setting, { cluster, pod, agent }),
      paths,
      enforcement,
      proxyUrl: spec.network ? proxyUrlInside : null,
      canLookOnly: true,
      firstPid: () => null,
    }
  } catch (error) {
    await agent[Symbol.asyncDispose]()
    throw error
  }
}

type StartPod = { cluster: Cluster; pod: V1Pod; agent: AgentSocket }

/** Resolves when the agent in it has come. Rejects with no Pod left behind. */
async function startPod(setting: KubernetesSetting, { cluster, pod, agent }: StartPod): Promise<SandboxProcesses> {
  const name = pod.metadata!.name!
  setting.held.add(name)
  try {
    await cluster.createPod(pod)
    return watchPod(setting, { cluster, name, agent, socket: await untilConnected(cluster, name, agent) })
  } catch (error) {
    await cluster.removePod(name).catch(() => {})
    setting.held.delete(name)
    throw error
  }
}

/** Beside whose Pod it runs. */
export const workerLabel = (worker: V1Pod): Record<string, string> => ({ 'runwright.worker': worker.metadata!.uid! })

async function podSettingOf({ owner, image, runtime }: KubernetesSetting, cluster: Cluster): Promise<PodSetting> {
  const loader = loaders[process.arch]
  if (loader === undefined) throw new Error(`Sandboxes in Pods need x64 or arm64, and this is ${process.arch}.`)
  const worker = await cluster.readOwnPod()
  return {
    user: userOf(owner),
    image,
    runtime,
    hasOwnKernel: hasOwnKernel({ runtime }),
    worker,
    shared: sharedVolumesOf(worker),
    // What every Pod of a cluster can reach, a cloud's own data, and something outside.
    forbidden: [cluster.apiServer, '169.254.169.254:80', '1.1.1.1:443'],
    loader,
  }
}

/** Looks again and again, as a watch may end without a word. */
async function untilConnected(cluster: Cluster, name: string, agent: AgentSocket) {
  const deadline = Date.now() + START_MS_MAX
  for (;;) {
    const socket = await Promise.race([agent.connected, delay(POLL_MS, null, { ref: false })])
    if (socket) return socket
    const isLate = Date.now() > deadline
    // A server that is away for a moment is asked again.
    const pod = await cluster.readPod(name).catch((error: unknown) => {
      if (isLate) throw error
      return undefined
    })
    if (pod === null) throw new Error(`The Pod ${name} was removed before its sandbox began.`)
    const problem = pod && problemOf(pod)
    if (problem) throw new Error(`The Pod of the sandbox does not start: ${problem}`)
    if (pod && isLate)
      throw new Error(`The Pod of the sandbox has not begun after ${START_MS_MAX / 1_000} s: ${waitOf(pod)}`)
  }
}

type WatchedPod = { cluster: Cluster; name: string; agent: AgentSocket; socket: Awaited<AgentSocket['connected']> }

function watchPod({ held }: KubernetesSetting, { cluster, name, agent, socket }: WatchedPod): SandboxProcesses {
  let outOfMemoryKills = 0
  let isWanted = true
  const main = new StreamProcess(socket, async () => {
    // Ended from here, nobody asks why.
    if (!isWanted) return
    const pod = await cluster.readPod(name).catch(() => null)
    if (pod && hasRunOutOfMemory(pod)) outOfMemoryKills = 1
  })
  // Without its service the agent ends, and its Pod with it. The cluster is told as well: it alone can end what the agent does not.
  const kill = () => {
    isWanted = false
    socket.destroy()
    void cluster.removePod(name).catch(() => {})
  }
  return {
    main,
    end: kill,
    kill,
    gone: async () => {
      await agent[Symbol.asyncDispose]()
      const isGone = await cluster.removePod(name).then(
        () => true,
        () => false,
      )
      held.delete(name)
      return isGone
    },
    outOfMemoryKills: () => outOfMemoryKills,
  }
}
