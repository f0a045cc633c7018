import path from 'node:path'
import type { V1Pod, V1Volume, V1VolumeMount } from '@kubernetes/client-node'

/** Volumes that two Pods of one node see alike. */
const sharedKinds = ['persistentVolumeClaim', 'hostPath', 'nfs'] as const

/** What of this Pod another one can be shown. */
export type SharedVolumes = {
  volumes: V1Volume[]
  /** Where a file or folder of this Pod lies in them. Throws where it lies in none. */
  mountOf(source: string, target: string, options?: { readOnly?: boolean }): V1VolumeMount
}

/** The volumes of a Pod that other Pods may share, by what its containers see of them. */
export function sharedVolumesOf(pod: V1Pod): SharedVolumes {
  const volumes = (pod.spec?.volumes ?? []).filter((volume) => sharedKinds.some((kind) => volume[kind]))
  const names = new Set(volumes.map(({ name }) => name))
  const mounts = (pod.spec?.containers ?? [])
    .flatMap(({ volumeMounts }) => volumeMounts ?? [])
    .filter(({ name, subPathExpr }) => names.has(name) && !subPathExpr)
    .toSorted((one, other) => other.mountPath.length - one.mountPath.length)
  return {
    volumes,
    mountOf: (source, target, { readOnly = true } = {}) => {
      const mount = mounts.find(({ mountPath }) => isBelow(source, mountPath))
      if (!mount)
        throw new Error(
          `${source} lies in no volume that a sandbox can share: give the worker a PersistentVolumeClaim for its data folder.`,
        )
      const subPath = path.join(mount.subPath ?? '', path.relative(mount.mountPath, source))
      return { name: mount.name, mountPath: target, readOnly, subPath }
    },
  }
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
}
