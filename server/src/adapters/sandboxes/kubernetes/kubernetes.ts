/**
 * Sandboxes as Pods of a Kubernetes cluster, beside the worker's own Pod and on its node. One sandbox is one Pod; its files are those of
 * the worker, on a volume that both have, and the exec agent in it connects to the worker by a socket there.
 */
import type { V1Pod } from '@kubernetes/client-node'
import type { PoolSetting } from '#adapters/sandboxes/local-launch.ts'
import { openLocalProvider, type LocalProvider } from '#adapters/sandboxes/local-provider.ts'
import { isLeft, placeLabel, sandboxLabels } from '#adapters/sandboxes/container/container-labels.ts'
import { findLeft, removeAll, type FindLeft, type Runner } from '#adapters/sandboxes/container/find-left.ts'
import { rewriteAuthor } from '#adapters/sandboxes/container/write-system-files.ts'
import { ownerFor } from '#adapters/sandboxes/owner-for.ts'
import type { OnTrouble, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { openCluster, type Cluster } from './cluster.ts'
import { enforcement, launchPod, workerLabel, type KubernetesSetting } from './launch-pod.ts'
import { sandboxLabel } from './pod-of.ts'
import { probePod } from './probe-pod.ts'

export type OpenKubernetes = {
  /** Where sandboxes' files lie: on a volume of the worker's Pod. */
  folder: string
  /** In which agents work. */
  image: string
  /** Name of a RuntimeClass, such as `gvisor`. */
  runtime: string | null
  /** Whose the files are when the service is root; never 0. */
  uid?: number
  onTrouble?: OnTrouble
  pool?: PoolSetting | undefined
}

export function openKubernetes({ folder, image, runtime, uid, onTrouble, pool }: OpenKubernetes): SandboxProvider {
  let opened: Promise<Cluster> | undefined
  const setting: KubernetesSetting = {
    folder,
    image,
    runtime,
    owner: ownerFor(uid),
    cluster: () =>
      (opened ??= openCluster().catch((error: unknown) => {
        opened = undefined
        throw error
      })),
    held: new Set(),
  }
  const runner = runnerOf(setting)
  const local: LocalProvider = openLocalProvider(folder, {
    owner: setting.owner,
    launch: (files, spec) => launchPod(setting, files, spec),
    sweep: ({ id }) => removeAll(runner, sandboxLabels(folder, id)),
    listOutside: () =>
      openIsLeft(setting).then(
        (isOver) => findLeft(runner, { labels: placeLabel(folder), isLeft: isOver }),
        () => [],
      ),
    onTrouble,
    // Whatever an image's name stands for at the registry: a node may keep what it stood for before, too.
    warm: pool && { ...pool, kindOf: async () => JSON.stringify([image, runtime]), rewriteAuthor },
  })
  return { name: 'kubernetes', enforcement, ...local, probe: () => probePod(setting, local) }
}

/** Pods as containers are listed and removed; their labels are both their labels and annotations. */
function runnerOf({ cluster }: KubernetesSetting): Runner {
  return {
    list: async (labels) => {
      const pods = await (await cluster()).listPods({ ...sandboxLabel, ...labels })
      return pods.map((pod) => ({
        id: pod.metadata!.name!,
        labels: { ...pod.metadata!.labels, ...pod.metadata!.annotations },
        hasEnded: hasEnded(pod),
      }))
    },
    remove: async (name) => (await cluster()).removePod(name),
  }
}

/** Whether nobody needs it any more; of this worker's own Pods also what an earlier process of it left and has ended. */
async function openIsLeft({ cluster, held }: KubernetesSetting): Promise<FindLeft['isLeft']> {
  const own = Object.entries(workerLabel(await (await cluster()).readOwnPod()))
  return (container) =>
    isLeft(container, held) ||
    (container.hasEnded && !held.has(container.id) && own.every(([name, value]) => container.labels[name] === value))
}

const hasEnded = ({ status }: V1Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'
