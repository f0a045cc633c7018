import { rename } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { baitEnvironment } from './command-environment.ts'
import { endAllRecorded } from './end-all-recorded.ts'
import { listenForSandbox } from './listen-for-sandbox.ts'
import type { Launched, LocalLaunch, WarmSetting } from './local-launch.ts'
import { LocalSandbox, type LaunchInOwnNamespace } from './local-sandbox.ts'
import { removeTree } from './remove-tree.ts'
import { prepareFiles, setAside, type SandboxFiles } from './sandbox-files.ts'
import type { CreateSandbox, SandboxNetwork } from './sandbox.ts'
import { openWarmBait, type WarmBait } from './warm-bait.ts'
import { newWarmFiles, warmFolderIn, writeWarmRecord } from './warm-files.ts'
import type { WarmSpec } from './warm-key.ts'

/** An agent that is well reads a small file in a millisecond or two. */
const ANSWER_MS_MAX = 1_000
const FIRST_MS_MAX = 10_000

/** A sandbox in which nothing has run, over files of its own. It is nobody's. */
export type WarmSandbox = {
  /** Resolves when it has ended, by whatever reason. */
  readonly ended: Promise<unknown>
  /** Makes it the one that was asked for, over `files`, which are not there yet. Rejects before that where it cannot be. */
  give(files: SandboxFiles, assignment: Give): Promise<Given>
  /** Nothing of it is left afterwards. */
  remove(): Promise<void>
}

export type Give = {
  spec: CreateSandbox
  launchInOwnNamespace: LaunchInOwnNamespace
  onLeft: (error?: unknown) => void
}
export type Given = { sandbox: LocalSandbox; firstPid: Launched['firstPid'] }

/** `ageMsMax` is for how long it may wait for somebody. */
type StartWarm = Pick<LocalLaunch, 'owner' | 'launch' | 'sweep'> &
  Pick<WarmSetting, 'kindOf' | 'rewriteAuthor'> & { folder: string; spec: WarmSpec; ageMsMax: number }

/** Rejects with nothing left behind. */
export async function startWarm(options: StartWarm): Promise<WarmSandbox> {
  const { folder, owner, launch, spec, ageMsMax, kindOf, rewriteAuthor } = options
  const files = newWarmFiles(folder)
  let network: SandboxNetwork | undefined
  // Nothing runs inside, so nobody comes; and whoever came would have come from nowhere.
  const connect: SandboxNetwork['connect'] = (connection) =>
    network ? network.connect(connection) : void connection.destroy()
  const remove = () => removeWarm(files, { ...options, folder })
  let listening: AsyncDisposable | undefined
  let sandbox: LocalSandbox
  let launched: Launched
  let bait: WarmBait
  const kind = await kindOf()
  try {
    prepareFiles(warmFolderIn(folder), files, { owner })
    writeWarmRecord(files, { ageMsMax })
    if (spec.hasNetwork) listening = await listenForSandbox(files, owner, { connect })
    // Of a run it is told nothing: neither who commits, nor what commands find in their environment, nor the run's bait.
    launched = await launch(files, {
      id: files.id,
      limits: { ...spec.limits, lifetimeMs: spec.limits.lifetimeMs + ageMsMax },
      ...(spec.mounts && { mounts: spec.mounts }),
      ...(spec.hasNetwork && { network: { connect } }),
    })
    sandbox = new LocalSandbox({
      ...launched,
      id: files.id,
      limits: spec.limits,
      listening,
      launchInOwnNamespace: async () => Promise.reject(new Error('the sandbox is nobody’s yet')),
      onLeft: () => {},
    })
    await sandbox.start()
    // The first command of an agent takes it many times as long as those after it.
    await sandbox.exec({ argv: ['true'], timeoutMs: FIRST_MS_MAX }).result
    bait = openWarmBait(sandbox, { waitMs: spec.limits.lifetimeMs + ageMsMax })
    if ((await kindOf()) !== kind) throw new Error('what sandboxes are made of changed while one was made ready')
  } catch (error) {
    await listening?.[Symbol.asyncDispose]()
    await remove()
    throw error
  }
  return {
    ended: sandbox.closed,
    remove: async () => {
      await sandbox.stop('nobody needed it')
      await remove()
    },
    give: async (at, { spec: request, ...rest }) => {
      const { path, content } = rewriteAuthor(files, request.author)
      const environment = request.network?.environment?.(sandbox.proxyUrl ?? '') ?? {}
      const hasBait = Object.keys(request.bait ?? {}).length > 0
      const [kindNow, seen] = await inTime(
        // An image may have been built anew.
        kindOf(),
        // Whatever has become of the agent meanwhile: it answers, and git commits as it should.
        sandbox.readFile(path),
        bait.lay(hasBait ? { ...environment, ...baitEnvironment(request.bait) } : {}),
      )
      if (kindNow !== kind || seen.toString() !== content) throw new Error('what was made ready is not what is wanted')
      await rename(files.folder, at.folder)
      launched.onMoved?.(at)
      network = request.network
      sandbox.assign({ id: request.id, environment, ...rest })
      return { sandbox, firstPid: launched.firstPid }
    },
  }
}

async function inTime<T extends unknown[]>(...work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const late = delay(ANSWER_MS_MAX, undefined, { ref: false }).then(() => {
    throw new Error('the sandbox that was made ready does not answer')
  })
  return Promise.race([Promise.all(work) as Promise<T>, late])
}

type RemoveWarm = Pick<LocalLaunch, 'sweep'> & { folder: string }

/** Ends and removes one that nobody has got; whoever gets it at this moment keeps it. */
export async function removeWarm(files: SandboxFiles, { folder, sweep }: RemoveWarm): Promise<void> {
  const aside = await setAside(files.folder, folder)
  if (!existsSync(aside)) return
  await endAllRecorded(aside)
  await sweep(files)
  await removeTree(aside)
}
