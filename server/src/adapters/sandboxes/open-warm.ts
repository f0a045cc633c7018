import type { LocalLaunch } from './local-launch.ts'
import { refuseFullDisk, type SandboxFiles } from './sandbox-files.ts'
import type { CreateSandbox } from './sandbox.ts'
import { listWarm } from './warm-files.ts'
import { warmKeyOf, type WarmSpec } from './warm-key.ts'
import { AGE_MS_MAX, WarmPool } from './warm-pool.ts'
import { removeWarm, startWarm, type Give, type Given } from './warm-sandbox.ts'

/** Sandboxes that are ready before anybody needs one. */
export type Warm = Pick<WarmPool, 'whileCreating' | 'close'> & {
  /** One of them over `files`, which are not there yet; null where none fits. */
  give(files: SandboxFiles, options: Give): Promise<Given | null>
  /** Another one like it may be asked for. */
  want(spec: CreateSandbox): void
}

/** Null where the setting asks for none. */
export function openWarm(folder: string, options: LocalLaunch): Warm | null {
  const { owner, launch, sweep, warm, onTrouble = () => {} } = options
  if (!warm?.size) return null
  const pool = new WarmPool({ ...warm, onTrouble })

  async function give(files: SandboxFiles, request: Give): Promise<Given | null> {
    const key = request.spec.recurs ? keyNow(specOf(request.spec)) : null
    for (let ready = key && pool.take(key); ready; ready = pool.take(key!)) {
      try {
        refuseFullDisk(folder)
        return await ready.give(files, request)
      } catch {
        // Whoever launches one instead says what is wrong.
        void ready.remove().catch(() => {})
      }
    }
    return null
  }

  function want({ recurs, ...more }: CreateSandbox): void {
    const spec = specOf(more)
    const key = recurs ? keyNow(spec) : null
    if (key === null) return
    const make = async () =>
      keyNow(spec) === key ? startWarm({ folder, owner, launch, sweep, ageMsMax: AGE_MS_MAX, ...warm!, spec }) : null
    pool.want({ key, memoryBytes: spec.limits.memoryBytes, make })
  }

  return { give, want, whileCreating: (create) => pool.whileCreating(create), close: () => pool.close() }
}

const specOf = ({ limits, mounts, network }: CreateSandbox): WarmSpec => ({
  limits,
  ...(mounts && { mounts }),
  hasNetwork: network !== undefined,
})

/** Null where something that is to be shown is gone. */
function keyNow(spec: WarmSpec): string | null {
  try {
    return warmKeyOf(spec)
  } catch {
    return null
  }
}

/** Removes those that were made ready and that nobody will get. The ids of the others. */
export async function keepWarm(folder: string, sweep: LocalLaunch['sweep']): Promise<string[]> {
  const listed = await listWarm(folder)
  for (const { files, isLeft } of listed) if (isLeft) await removeWarm(files, { folder, sweep }).catch(() => {})
  return listed.filter(({ isLeft }) => !isLeft).map(({ files }) => files.id)
}
