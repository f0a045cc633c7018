import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import type { EnforcementReport } from '#base/enforcement.ts'
import { LocalSandbox, type LaunchInOwnNamespace, type SandboxProcesses } from './local-sandbox.ts'
import { listenForSandbox } from './listen-for-sandbox.ts'
import { endRecorded, isRunning, killRecorded, removeRecords } from './process-record.ts'
import { isLost, isOfOtherKind, prepareDisk } from './disk-image.ts'
import type { MeasureDisk } from './measure-disk.ts'
import type { Meter } from './meter.ts'
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
import type { CreateSandbox, OnTrouble, Sandbox, SandboxPaths } from './sandbox.ts'
import { watchLimits } from './watch-limits.ts'

/** What differs between providers whose sandboxes are processes of this machine. */
export type LocalLaunch = {
  owner: SandboxOwner
  /** Whether each sandbox's files lie on a file system of its own. */
  hasDisks?: boolean
  /** Starts the exec agent over these files. It writes down the processes in `files.records` at once. */
  launch: (files: SandboxFiles, spec: CreateSandbox) => Promise<Launched>
  /** Ends what no record tells of, in an earlier sandbox of this id. */
  sweep: (files: SandboxFiles) => Promise<void>
  /** What of sandboxes is left outside of their files. */
  listOutside?: () => LeftOutside[] | Promise<LeftOutside[]>
  onTrouble?: OnTrouble | undefined
  /** Looks at what sandboxes use; without one only their time is watched. */
  meter?: Meter
  /** Runs `du` so that it sees all of a sandbox's files; nothing where our own user does. */
  diskReader?: string[]
}

/** What of a sandbox lies elsewhere than in its folder. */
export type LeftOutside = { id: string; remove(): Promise<void> }

export type Launched = {
  processes: SandboxProcesses
  paths: SandboxPaths
  enforcement: EnforcementReport
  /** Null where what runs inside cannot reach the socket of its files. */
  proxyUrl: string | null
  /** Whether files that are read-only are so for what runs inside. */
  canLookOnly: boolean
  /** The root of its process tree, on this machine; null until it is known. */
  firstPid: () => number | null
}

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
}

/** Sandboxes whose files lie in `folder` and whose processes run on this machine. */
export function openLocalProvider(
  folder: string,
  { owner, hasDisks = false, launch, sweep, listOutside, onTrouble = () => {}, meter, diskReader = [] }: LocalLaunch,
): LocalProvider {
  const filesIn = (id: string) => filesOf(folder, id, { hasDisk: hasDisks })
  const live = new Map<string, LocalSandbox>()
  /** Creating and removing one id never overlap. */
  const inTurn = keyedMutex()

  /** Whoever started it: this process, one that was killed, or one that is frozen. False when not all of it ends. */
  async function endEarlier(files: SandboxFiles): Promise<boolean> {
    await live.get(files.id)?.stop('replaced')
    const hasEnded = await endAllRecorded(files.folder)
    await sweep(files)
    return hasEnded
  }

  async function start(files: SandboxFiles, spec: CreateSandbox): Promise<Sandbox> {
    if (!(await endEarlier(files))) {
      onTrouble({ kind: 'processes_left', id: spec.id })
      // What is still there may write to these files, so nobody else is given them. Whoever comes next begins with none.
      await setAside(files.folder)
      throw new Error('processes of an earlier sandbox do not end; its files were put aside')
    }
    await prepare(folder, { files, spec, owner, hasDisks })
    const listening = spec.network && (await listenForSandbox(files, owner, spec.network))
    const { firstPid, ...launched } = await launch(files, spec).catch(async (error: unknown) => {
      await listening?.[Symbol.asyncDispose]()
      throw asDiskFull(error, folder)
    })
    const onLeft = (error?: unknown) => onTrouble({ kind: 'processes_left', id: spec.id, error })
    const mountedBy = hasDisks ? (launched.processes.main.pid ?? null) : null
    const launchInOwnNamespace = launcherOf({ launch, meter }, { files, spec, mountedBy, onLeft })
    const sandbox = new LocalSandbox({
      id: spec.id,
      limits: spec.limits,
      ...launched,
      listening,
      launchInOwnNamespace,
      onLeft,
    })
    live.set(spec.id, sandbox)
    void sandbox.closed.then(() => {
      if (live.get(spec.id) === sandbox) live.delete(spec.id)
    })
    const disk = launched.enforcement.disk === 'polled' ? { folder: files.folder, reader: diskReader } : null
    await startWatched(sandbox, { spec, firstPid, meter, disk })
    return sandbox
  }

  return {
    create: async (spec) => {
      const files = filesIn(spec.id)
      return inTurn(spec.id, undefined, () => start(files, spec))
    },
    remove: async (id, { onAside } = {}) => {
      const files = filesIn(id)
      await inTurn(id, undefined, async () => {
        const hasEnded = await endEarlier(files)
        const aside = await setAside(files.folder)
        onAside?.()
        if (hasEnded) await removeTree(aside)
        else onTrouble({ kind: 'processes_left', id })
      })
    },
    list: async () => {
      // What cannot be removed now is tried again by whoever lists next.
      for (const left of await listSetAside(folder)) await removeAside(left)
      // Files are made first and removed last, so what has none now has lost them.
      const outside = (await listOutside?.()) ?? []
      const ids = await listWhole(folder, { hasDisks })
      for (const left of outside) if (!ids.includes(left.id)) await left.remove()
      return ids
    },
  }
}

/** Not while a process may still write to them. */
async function removeAside(aside: string): Promise<void> {
  const recorded = await readAllRecords(aside)
  for (const { records } of recorded) records.forEach(killRecorded)
  if (recorded.some(({ records }) => records.some(isRunning))) return
  await removeTree(aside).catch(() => {})
}

/** Kills what is on record in a sandbox's folder. False when not all of it ends. */
async function endAllRecorded(folder: string): Promise<boolean> {
  const recorded = await readAllRecords(folder)
  const ended = await Promise.all(recorded.flatMap(({ records }) => records.map(endRecorded)))
  if (ended.includes(false)) return false
  for (const { file, records } of recorded) removeRecords(file, records)
  return true
}

type StartInOwnNamespace = {
  files: SandboxFiles
  spec: CreateSandbox
  mountedBy: number | null
  onLeft: (error?: unknown) => void
}

function launcherOf(starter: Starter, apart: StartInOwnNamespace): LaunchInOwnNamespace {
  return ({ looksOnly }) => startInOwnNamespace(starter, apart, looksOnly)
}

/** Another exec agent over the files of a sandbox. What the first one's watch sees for all, such as the disk, it leaves out. */
async function startInOwnNamespace(
  { launch, meter }: Starter,
  apart: StartInOwnNamespace,
  looksOnly: boolean,
): Promise<LocalSandbox> {
  const { files, mountedBy, onLeft } = apart
  const { network, ...alone } = apart.spec
  const spec = looksOnly || !network ? alone : { ...alone, network }
  const { firstPid, ...launched } = await launch({ ...filesApart(files, mountedBy), isReadOnly: looksOnly }, spec)
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
