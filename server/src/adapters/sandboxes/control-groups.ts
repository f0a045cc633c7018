/** The kernel's control groups, where this machine lets us make some: limits on a sandbox as a whole. */
import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { SandboxLimits } from './sandbox.ts'

const controllers = ['memory', 'pids', 'cpu'] as const
type Controller = (typeof controllers)[number]

/** Processes that are ours and not the agent's commands: bubblewrap's two, or a container's first, and the threads of the exec agent. */
export const OWN_PROCESSES = 24
/** A group whose processes were killed can be removed a moment later. */
const REMOVE_MS_MAX = 2_000

/** The folders of one sandbox's groups. On version 2 all controllers share one. */
type Folders = Partial<Record<Controller, string>> & { kill?: string }

export type ControlGroups = {
  /** What the kernel holds here for a sandbox as a whole. */
  readonly holds: Record<Controller, boolean>
  create(id: string, limits: SandboxLimits): ControlGroup
  /** Kills what is in groups of earlier sandboxes of this id, and removes them. */
  sweep(id: string): Promise<void>
  /** The groups that are here now. */
  list(): LeftGroup[]
}

export type LeftGroup = {
  /** Of the sandbox. */
  id: string
  remove(): Promise<void>
}

export type ControlGroup = {
  add(pid: number): void
  outOfMemoryKills(): number
  kill(): void
  /** Kills what is left in it. */
  remove(): Promise<void>
}

/**
 * The groups of one folder's sandboxes; null where we may not make groups. Another service on this machine has sandboxes
 * of the same ids in another folder, so the folder is part of a group's name. `root` is where groups are mounted.
 */
export function findControlGroups(folder: string, root = '/sys/fs/cgroup'): ControlGroups | null {
  const place = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  // No id holds a dot, so no prefix is part of another.
  const prefixOf = (id: string) => `runwright-${place}-${id}.`
  const isVersion2 = existsSync(`${root}/cgroup.controllers`)
  const bases = isVersion2 ? basesOfVersion2(root) : basesOfVersion1(root)
  if (controllers.every((controller) => bases[controller] === undefined)) return null
  const foldersOf = (name: string): Folders =>
    Object.fromEntries(Object.entries(bases).map(([key, base]) => [key, `${base}/${name}`]))
  return {
    holds: { memory: !!bases.memory, pids: !!bases.pids, cpu: !!bases.cpu },
    create(id, limits) {
      // Two sandboxes of one id never share a group: whoever was frozen meanwhile ends its own, not its successor.
      const folders = foldersOf(`${prefixOf(id)}${randomUUID().slice(0, 8)}`)
      for (const folder of unique(folders)) mkdirSync(folder, { recursive: true })
      if (isVersion2) limitVersion2(folders, limits)
      else limitVersion1(folders, limits)
      return openGroup(folders, isVersion2)
    },
    sweep: async (id) => {
      const names = unique(bases).flatMap((base) => readdirSync(base).filter((name) => name.startsWith(prefixOf(id))))
      for (const name of new Set(names)) await removeGroup(foldersOf(name))
    },
    list: () => {
      const ours = `runwright-${place}-`
      const names = unique(bases).flatMap((base) => readdirSync(base).filter((name) => name.startsWith(ours)))
      return [...new Set(names)].map((name) => ({
        id: name.slice(ours.length, name.lastIndexOf('.')),
        remove: () => removeGroup(foldersOf(name)),
      }))
    },
  }
}

function openGroup(folders: Folders, isVersion2: boolean): ControlGroup {
  return {
    add: (pid) => {
      for (const folder of unique(folders)) writeFileSync(`${folder}/cgroup.procs`, String(pid))
    },
    outOfMemoryKills: () => {
      const events = read(`${folders.memory}/${isVersion2 ? 'memory.events' : 'memory.oom_control'}`)
      return Number(/^oom_kill (\d+)/m.exec(events)?.[1] ?? 0)
    },
    kill: () => killGroup(folders),
    remove: () => removeGroup(folders),
  }
}

/** Version 2, all in one tree: its root for root, else the group that was delegated to us (systemd: `Delegate=yes`). */
function basesOfVersion2(root: string): Folders {
  const here = process.getuid?.() === 0 ? root : root + ownGroup('')
  if (!isWritable(here) || !isWritable(`${here}/cgroup.procs`)) return {}
  const base = `${here}/runwright`
  try {
    // A group with processes of its own cannot limit others below it, so this process steps aside. It moves nobody else.
    if (here !== root && read(`${here}/cgroup.procs`).trim() === String(process.pid)) {
      mkdirSync(`${here}/service`, { recursive: true })
      writeFileSync(`${here}/service/cgroup.procs`, String(process.pid))
    }
    for (const controller of controllers) write(`${here}/cgroup.subtree_control`, `+${controller}`)
    mkdirSync(base, { recursive: true })
    for (const controller of controllers) write(`${base}/cgroup.subtree_control`, `+${controller}`)
  } catch {
    return {}
  }
  const enabled = read(`${base}/cgroup.subtree_control`).trim().split(' ')
  const folders: Folders = { kill: base }
  for (const controller of controllers) if (enabled.includes(controller)) folders[controller] = base
  return folders
}

/** Version 1, a tree for each controller; beside them version 2 without controllers, which can kill a group at once. */
function basesOfVersion1(root: string): Folders {
  const folders: Folders = {}
  for (const controller of controllers) {
    const base = `${root}/${controller}${ownGroup(controller)}`
    if (isWritable(base) && isWritable(`${base}/cgroup.procs`)) folders[controller] = base
  }
  if (folders.cpu) folders.cpu = weighTogether(folders.cpu)
  if (isWritable(`${root}/unified/cgroup.procs`)) folders.kill = `${root}/unified`
  return folders
}

/** However many sandboxes there are, all of them together weigh as much as one busy process of the service on each core. */
function weighTogether(base: string): string {
  const together = `${base}/runwright`
  try {
    mkdirSync(together, { recursive: true })
    writeFileSync(`${together}/cpu.shares`, String(1024 * availableParallelism()))
    return together
  } catch {
    return base
  }
}

function limitVersion2(folders: Folders, limits: SandboxLimits): void {
  if (folders.memory) {
    writeFileSync(`${folders.memory}/memory.max`, String(limits.memoryBytes))
    write(`${folders.memory}/memory.swap.max`, '0')
  }
  if (folders.pids) writeFileSync(`${folders.pids}/pids.max`, String(limits.processes + OWN_PROCESSES))
  // Half of the usual weight: when cores are short, the service comes first and each sandbox gets the same.
  if (folders.cpu) write(`${folders.cpu}/cpu.weight`, '50')
}

function limitVersion1(folders: Folders, limits: SandboxLimits): void {
  if (folders.memory) {
    writeFileSync(`${folders.memory}/memory.limit_in_bytes`, String(limits.memoryBytes))
    write(`${folders.memory}/memory.memsw.limit_in_bytes`, String(limits.memoryBytes))
  }
  if (folders.pids) writeFileSync(`${folders.pids}/pids.max`, String(limits.processes + OWN_PROCESSES))
  if (folders.cpu) write(`${folders.cpu}/cpu.shares`, '512')
}

function killGroup(folders: Folders): void {
  if (folders.kill && write(`${folders.kill}/cgroup.kill`, '1')) return
  for (const pid of read(`${folders.pids ?? folders.memory}/cgroup.procs`)
    .split('\n')
    .filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
}

async function removeGroup(folders: Folders): Promise<void> {
  const deadline = Date.now() + REMOVE_MS_MAX
  for (;;) {
    const left = unique(folders).filter((folder) => !removeFolder(folder))
    if (left.length === 0 || Date.now() > deadline) return
    killGroup(folders)
    await delay(5)
  }
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** The group that this process is in; '' for the root. */
function ownGroup(controller: string): string {
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, names = '', path = '/'] = line.split(':')
    if (names.split(',').includes(controller)) return path === '/' ? '' : path
  }
  return ''
}

const unique = (folders: Folders) => [...new Set(Object.values(folders))]

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function write(path: string, value: string): boolean {
  try {
    writeFileSync(path, value)
    return true
  } catch {
    return false
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
