import path from 'node:path'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { openContainer } from '#adapters/sandboxes/container/container.ts'
import { openKubernetes } from '#adapters/sandboxes/kubernetes/kubernetes.ts'
import { openFirst } from '#adapters/sandboxes/open-first.ts'
import type { SandboxProvider, SandboxTrouble } from '#adapters/sandboxes/sandbox.ts'
import { openUnsafe } from '#adapters/sandboxes/unsafe.ts'
import type { Config } from '#base/config/config.ts'
import type { Logger } from '#base/logger.ts'
import type { Metrics } from '#base/telemetry/metrics.ts'

/** As root, sandboxes run as this user, which is nobody else's; it may read the repositories' objects. */
export const sandboxUid = 64_900

type OpenSandboxes = { logger: Logger; metrics: Metrics }

/** What keeps agents on this machine in sandboxes, as the settings say. */
export function openSandboxes(config: Config, { logger, metrics }: OpenSandboxes): SandboxProvider {
  const folder = path.join(config.dataDir, 'sandboxes')
  if (config.unsafeSandbox) return openUnsafe({ folder })
  const onTrouble = ({ kind, id, error }: SandboxTrouble) => {
    metrics.sandboxTroubles.inc({ kind })
    const { level, text } = troubles[kind]
    logger[level]({ event: `sandbox_${kind}`, sandbox: id, err: error }, text)
  }
  const { provider, engine: socket, image, runtime, isInCluster, poolSize } = config.sandbox
  const pool = { size: poolSize, onReady: (count: number) => metrics.sandboxesReady.set(count) }
  const hasDisks = config.sandboxDisk === 'kernel'
  const openContainers = () => openContainer({ folder, uid: sandboxUid, socket, image, runtime, onTrouble, pool })
  // The settings are refused where a provider that needs an image is named and none is.
  const openPods = () => openKubernetes({ folder, uid: sandboxUid, image: image!, runtime, onTrouble, pool })
  if (provider === 'container') return openContainers()
  if (provider === 'kubernetes') return openPods()
  const bubblewrap = openBubblewrap({ folder, uid: sandboxUid, hasDisks, onTrouble })
  // Containers keep no disk of their own, so they are no way out where that is asked for.
  return provider === 'bubblewrap' || image === null || hasDisks
    ? bubblewrap
    : openFirst([bubblewrap, ...(isInCluster ? [openPods()] : []), openContainers()])
}

const troubles: Record<SandboxTrouble['kind'], { level: 'error' | 'warn'; text: string }> = {
  processes_left: {
    level: 'error',
    text: 'killed processes of a sandbox do not end; its files are kept aside until they do',
  },
  not_made_ready: {
    level: 'warn',
    text: 'no sandbox could be made ready ahead; until one can, each run waits for its own',
  },
}
