/**
 * Sandboxes as Pods of a Kubernetes cluster, beside the worker's own Pod and on its node. One sandbox is one Pod; its files are those of
 * the worker, on a volume that both have, and the exec agent in it connects to the worker by a socket there.
 */
import type { V1Pod } from '@kubernetes/client-node'
import { openLocalProvider, type LocalProvider } from '#adapters/sandboxes/local-provider.ts'
import { isLeft, placeLabel, sandboxLabels, sandboxOf } from '#adapters/sandboxes/container/container-labels.ts'
import type { ListedContainer } from '#adapters/sandboxes/container/engine.ts'
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
}

export function openKubernetes({ folder, image, runtime, uid, onTrouble }: OpenKubernetes): SandboxProvider {
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
  const local: LocalProvider = openLocalProvider(folder, {
    owner: setting.owner,
    launch: (files, spec) => launchPod(setting, files, spec),
    sweep: async ({ id }) => removeAll(setting, { ...sandboxLabel, ...sandboxLabels(folder, id) }),
    listOutside: () => findLeft(setting),
    onTrouble,
  })
  return { name: 'kubernetes', enforcement, ...local, probe: () => probePod(setting, local) }
}

async function removeAll({ cluster }: KubernetesSetting, labels: Record<string, string>): Promise<void> {
  const api = await cluster()
  await Promise.all((await api.listPods(labels)).map((pod) => api.removePod(pod.metadata!.name!)))
}

/** Removes Pods whose worker is gone, and tells of the others. Nothing where the cluster does not answer. */
async function findLeft({ cluster, folder, held }: KubernetesSetting) {
  try {
    const api = await cluster()
    const own = workerLabel(await api.readOwnPod())
    const listed = await api.listPods({ ...sandboxLabel, ...placeLabel(folder) })
    const isOver = (pod: V1Pod) => isLeft(containerOf(pod), held) || (hasEnded(pod) && isOf(pod, own) && !isHeld(pod))
    const isHeld = ({ metadata }: V1Pod) => held.has(metadata!.name!)
    const [over, others] = [listed.filter(isOver), listed.filter((pod) => !isOver(pod))]
    for (const { metadata } of over) await api.removePod(metadata!.name!).catch(() => {})
    return others.map((pod) => ({
      id: sandboxOf(containerOf(pod)),
      remove: () => api.removePod(pod.metadata!.name!),
    }))
  } catch {
    return []
  }
}

/** As labels of containers are read. */
const containerOf = (pod: V1Pod): ListedContainer => ({
  id: pod.metadata!.name!,
  labels: { ...pod.metadata!.labels, ...pod.metadata!.annotations },
  hasEnded: hasEnded(pod),
})

const hasEnded = ({ status }: V1Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

const isOf = ({ metadata }: V1Pod, labels: Record<string, string>) =>
  Object.entries(labels).every(([name, value]) => metadata!.labels?.[name] === value)
