import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { existsSync } from 'node:fs'
import { endAllRecorded } from './end-all-recorded.ts'
import type { Launched, LocalLaunch } from './local-launch.ts'
import { LocalSandbox, type LaunchInOwnNamespace, type OwnNamespace } from './local-sandbox.ts'
import { listenForSandbox } from './listen-for-sandbox.ts'
import { isRunning, killRecorded } from './process-record.ts'
import { isLost, isOfOtherKind, prepareDisk } from './disk-image.ts'
import type { MeasureDisk } from './measure-disk.ts'
import type { Meter } from './meter.ts'
import { isLeftProbe } from './probe-id.ts'
import { removeTree } from './remove-tree.ts'
import {
  asDiskFull,
  filesApart,
  filesOf,
  readAllRecords,
  listSandboxIds,
  listSetAside,
  prepareFiles,
  setAside,
  type SandboxFiles,
  type SandboxOwner,
} from './sandbox-files.ts'
import type { CreateSandbox, OnTrouble, Sandbox } from './sandbox.ts'
import { keepWarm, openWarm } from './open-warm.ts'
import { readWarmRecord, removeWarmRecord } from './warm-files.ts'
import type { Give, Given } from './warm-sandbox.ts'
import { watchLimits } from './watch-limits.ts'

type Prepare = { files: SandboxFiles; spec: CreateSandbox; owner: SandboxOwner; hasDisks: boolean }

async function prepare(folder: string, { files, spec, owner, hasDisks }: Prepare): Promise<void> {
  if (await isOfOtherKind(files, hasDisks)) {
    await removeAside(await setAside(files.folder))
    throw new Error('the setting RUNWRIGHT_SANDBOX_DISK was changed since its files were made')
  }
  prepareFiles(folder, files, { owner, hasDisk: hasDisks })
  if (hasDisks) await prepareDisk(files, spec.limits.diskBytes)
}

/** The ids whose files are there as they were left. */
async function listWhole(folder: string, { hasDisks }: { hasDisks: boolean }): Promise<string[]> {
  const ids = await listSandboxIds(folder)
  if (!hasDisks) return ids
  const whole: string[] = []
  for (const id of ids) {
    const files = filesOf(folder, id, { hasDisk: true })
    if (await isLost(files)) await removeAside(await setAside(files.folder))
    else whole.push(id)
  }
  return whole
}

type Starter = { launch: LocalLaunch['launch']; meter: Meter | undefined }

export type LocalProvider = {
  create(spec: CreateSandbox): Promise<Sandbox>
  remove(id: string, options?: { onAside?: () => void }): Promise<void>
  list(): Promise<string[]>
  close(): Promise<void>
}

/** Sandboxes whose files lie in `folder` and whose processes run on this machine. */
export function openLocalProvider(folder: string, options: LocalLaunch): LocalProvider {
  const { hasDisks = false, launch, sweep, onTrouble = () => {}, meter, diskReader = [] } = options
  const filesIn = (id: string) => filesOf(folder, id, { hasDisk: hasDisks })
  const live = new Map<string, LocalSandbox>()
  const warm = openWarm(folder, options)
  /** Creating and removing one id never overlap. */
  const inTurn = keyedMutex()

  /** Whoever started it: this process, one that was killed, or one that is frozen. False when not all of it ends. */
  async function endEarlier(files: SandboxFiles): Promise<boolean> {
    await live.get(files.id)?.stop('replaced')
    const hasEnded = await endAllRecorded(files.folder)
    await sweep(files)
    const earlier = readWarmRecord(files.folder)
    if (earlier) await sweep({ ...files, id: earlier.id })
    return hasEnded
  }

  async function requireEnded(files: SandboxFiles): Promise<void> {
    if (await endEarlier(files)) return
    onTrouble({ kind: 'processes_left', id: files.id })
    // What is still there may write to these files, so nobody else is given them. Whoever comes next begins with none.
    await setAside(files.folder)
    throw new Error('processes of an earlier sandbox do not end; its files were put aside')
  }

  async function start(files: SandboxFiles, spec: CreateSandbox): Promise<Sandbox> {
    const apart = { spec, starter: { launch, meter }, onTrouble }
    // Files that are there are another sandbox's, and cannot be shown to one that runs.
    const isNew = !live.has(spec.id) && !existsSync(files.folder)
    let started = isNew ? await warm?.give(files, { spec, ...ownNamespaceOf(files, apart) }) : null
    if (!started) {
      await requireEnded(files)
      started = await launchAnew(folder, { ...options, hasDisks, files, spec, apart })
    }
    const { sandbox, firstPid } = started
    live.set(spec.id, sandbox)
    void sandbox.closed.then(() => {
      if (live.get(spec.id) === sandbox) live.delete(spec.id)
    })
    const disk = sandbox.enforcement.disk === 'polled' ? { folder: files.folder, reader: diskReader } : null
    await startWatched(sandbox, { spec, firstPid, meter, disk })
    warm?.want(spec)
    return sandbox
  }

  async function remove(id: string, { onAside }: { onAside?: () => void } = {}): Promise<void> {
    const files = filesIn(id)
    await inTurn(id, undefined, async () => {
      const hasEnded = await endEarlier(files)
      const aside = await setAside(files.folder)
      onAside?.()
      if (hasEnded) await removeTree(aside)
      else onTrouble({ kind: 'processes_left', id })
    })
  }

  return {
    create: async (spec) => {
      const files = filesIn(spec.id)
      const create = () => inTurn(spec.id, undefined, () => start(files, spec))
      return warm ? warm.whileCreating(create) : create()
    },
    remove,
    list: async () => {
      const ids = await listHere(folder, { ...options, hasDisks })
      const left = ids.filter((id) => isLeftProbe(folder, id))
      for (const id of left) await remove(id)
      return ids.filter((id) => !left.includes(id))
    },
    close: async () => warm?.close(),
  }
}

/** Those that are there, after what nobody needs any more was removed. */
async function listHere(folder: string, { listOutside, sweep, hasDisks = false }: LocalLaunch): Promise<string[]> {
  // What cannot be removed now is tried again by whoever lists next.
  for (const left of await listSetAside(folder)) await removeAside(left)
  // Files are made first and removed last, so what has none now has lost them.
  const outside = (await listOutside?.()) ?? []
  // Before the others, among which one is found that is given meanwhile.
  const ready = await keepWarm(folder, sweep)
  const ids = await listWhole(folder, { hasDisks })
  const known = new Set([...ids, ...ready, ...ids.map((id) => readWarmRecord(filesOf(folder, id).folder)?.id)])
  for (const left of outside) if (!known.has(left.id)) await left.remove()
  return ids
}

type Apart = { spec: CreateSandbox; starter: Starter; onTrouble: OnTrouble }

function ownNamespaceOf(
  files: SandboxFiles,
  { spec, starter, onTrouble }: Apart,
  mountedBy: number | null = null,
): Pick<Give, 'launchInOwnNamespace' | 'onLeft'> {
  const onLeft = (error?: unknown) => onTrouble({ kind: 'processes_left', id: spec.id, error })
  return { onLeft, launchInOwnNamespace: launcherOf(starter, { files, spec, mountedBy, onLeft }) }
}

type LaunchAnew = Pick<LocalLaunch, 'launch'> & Prepare & { apart: Apart }

async function launchAnew(folder: string, { launch, apart, ...options }: LaunchAnew): Promise<Given> {
  const { files, spec, owner, hasDisks } = options
  removeWarmRecord(files.folder)
  await prepare(folder, options)
  const listening = spec.network && (await listenForSandbox(files, owner, spec.network))
  const { firstPid, ...launched } = await launch(files, spec).catch(async (error: unknown) => {
    await listening?.[Symbol.asyncDispose]()
    throw asDiskFull(error, folder)
  })
  const mountedBy = hasDisks ? (launched.processes.main.pid ?? null) : null
  const { id, limits } = spec
  const ownNamespace = ownNamespaceOf(files, apart, mountedBy)
  return { sandbox: new LocalSandbox({ id, limits, ...launched, listening, ...ownNamespace }), firstPid }
}

/** Not while a process may still write to them. */
async function removeAside(aside: string): Promise<void> {
  const recorded = await readAllRecords(aside)
  for (const { records } of recorded) records.forEach(killRecorded)
  if (recorded.some(({ records }) => records.some(isRunning))) return
  await removeTree(aside).catch(() => {})
}

type StartInOwnNamespace = {
  files: SandboxFiles
  spec: CreateSandbox
  mountedBy: number | null
  onLeft: (error?: unknown) => void
}

function launcherOf(starter: Starter, apart: StartInOwnNamespace): LaunchInOwnNamespace {
  return (how) => startInOwnNamespace(starter, apart, how)
}

/** Another exec agent over the files of a sandbox. What the first one's watch sees for all, such as the disk, it leaves out. */
async function startInOwnNamespace(
  { launch, meter }: Starter,
  apart: StartInOwnNamespace,
  { looksOnly, keepsWorkTree }: OwnNamespace,
): Promise<LocalSandbox> {
  const { files, mountedBy, onLeft } = apart
  const { network, ...alone } = apart.spec
  const spec = looksOnly || !network ? alone : { ...alone, network }
  const held = { isReadOnly: looksOnly, isWorkspaceReadOnly: keepsWorkTree }
  const { firstPid, ...launched } = await launch({ ...filesApart(files, mountedBy), ...held }, spec)
  const launchInOwnNamespace = launcherOf({ launch, meter }, apart)
  const sandbox = new LocalSandbox({
    id: spec.id,
    limits: spec.limits,
    ...launched,
    listening: undefined,
    launchInOwnNamespace,
    onLeft,
  })
  await startWatched(sandbox, { spec, firstPid, meter, disk: null })
  return sandbox
}

type StartWatched = Pick<Launched, 'firstPid'> & {
  spec: CreateSandbox
  meter: Meter | undefined
  disk: MeasureDisk | null
}

/** From then on it is stopped at each limit that nobody but us holds. */
async function startWatched(sandbox: LocalSandbox, { spec, firstPid, meter, disk }: StartWatched): Promise<void> {
  await sandbox.start()
  watchLimits({
    limits: spec.limits,
    meter: meter ?? null,
    disk,
    isMemoryPolled: sandbox.enforcement.memory === 'polled',
    firstPid,
    signal: sandbox.signal,
    onReached: (limit) => void sandbox.stop(limit),
  })
}
