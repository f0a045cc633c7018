/**
 * Sandboxes by a container engine, Docker or Podman. One sandbox is one container whose main process is the exec agent,
 * spoken with over the engine's connection to its standard streams. What agents work with is an image's.
 */
import type { PoolSetting } from '#adapters/sandboxes/local-launch.ts'
import { openLocalProvider } from '#adapters/sandboxes/local-provider.ts'
import { openMeter, type Meter } from '#adapters/sandboxes/meter.ts'
import { ownerFor } from '#adapters/sandboxes/owner-for.ts'
import type { OnTrouble, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { isLeft, placeLabel, sandboxLabels } from './container-labels.ts'
import { nothingHeld } from './enforcement-of.ts'
import { openEngine, type EngineOptions } from './engine.ts'
import { findLeft, removeAll } from './find-left.ts'
import { containerKind, launchContainer, type ContainerSetting } from './launch-container.ts'
import { probeContainer } from './probe-container.ts'
import { rewriteAuthor } from './write-system-files.ts'

export type OpenContainer = EngineOptions & {
  /** Where sandboxes' files lie. The engine must see them at the same path. */
  folder: string
  /** Whose they are when the service is root; never 0. */
  uid?: number
  onTrouble?: OnTrouble
  meter?: Meter
  pool?: PoolSetting | undefined
}

export function openContainer(options: OpenContainer): SandboxProvider {
  const { folder, socket, image, runtime } = options
  const setting: ContainerSetting = {
    folder,
    engine: openEngine({ socket, image, runtime }),
    owner: ownerFor(options.uid),
    held: new Set(),
    enforcement: nothingHeld,
  }
  const local = openLocalProvider(folder, {
    owner: setting.owner,
    launch: (files, spec) => launchContainer(setting, files, spec),
    sweep: ({ id }) => removeAll(setting.engine, sandboxLabels(folder, id)),
    listOutside: () =>
      findLeft(setting.engine, {
        labels: placeLabel(folder),
        isLeft: (container) => isLeft(container, setting.held),
      }),
    onTrouble: options.onTrouble,
    meter: options.meter ?? openMeter(),
    warm: options.pool && { ...options.pool, kindOf: () => containerKind(setting), rewriteAuthor },
  })
  return {
    name: 'container',
    get enforcement() {
      return setting.enforcement
    },
    ...local,
    probe: () => probeContainer(setting, local),
  }
}
