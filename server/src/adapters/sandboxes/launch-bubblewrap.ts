import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { release, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { EnforcementReport } from '#base/enforcement.ts'
import { limits as serviceLimits } from '#base/limits.ts'
import { agentCommand, bubblewrapArguments, pathsInside, proxyUrlInside } from './bubblewrap-arguments.ts'
import { closedAgent } from './closed-agent.ts'
import type { ControlGroup, ControlGroups } from './control-groups.ts'
import { mounting } from './disk-image.ts'
import { findClosedFolder } from './find-closed-folder.ts'
import { findRipgrep } from './find-ripgrep.ts'
import type { Launched } from './local-launch.ts'
import type { SandboxProcesses } from './local-sandbox.ts'
import {
  endRecorded,
  killRecorded,
  recordOf,
  removeRecords,
  writeRecords,
  type ProcessRecord,
} from './process-record.ts'
import { reachableProgram } from './reachable-program.ts'
import type { SandboxFiles, SandboxOwner } from './sandbox-files.ts'
import type { CreateSandbox, SandboxLimits } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'

/**
 * Added to what one process may map, where memory is only looked at now and then. The limit counts what is reserved and
 * never used: Node reserves 512 MiB for the code of each worker thread, and ends without it.
 */
const RESERVED_BYTES = 8 * 1024 ** 3
/** How much sandboxes give way to the service and its database, where control groups do not share the processor out. */
const NICE = 10

/** Descriptors of bubblewrap. The first three carry what the exec agent and we say. */
const ARGUMENTS = 3
const SECCOMP = 4
const INFO = 5
const CONTENTS = 6

export type BubblewrapSetting = {
  folder: string
  bubblewrap: string
  owner: SandboxOwner
  /** Whether each sandbox's files lie on a file system of its own. */
  hasDisks: boolean
  groups: ControlGroups | null
  /** Starts the exec agent closed to its commands; null where this machine has none that can. */
  loader: Buffer | null
  /** What every program that is started has open besides what it is given. */
  inherited: number[]
}

/** Starts bubblewrap with the exec agent in it. Phases: what it is told, the start, its limits, and only then the telling. */
export async function launchBubblewrap(
  setting: BubblewrapSetting,
  files: SandboxFiles,
  spec: CreateSandbox,
): Promise<Launched> {
  if (!existsSync(setting.bubblewrap)) throw new Error(missingBubblewrapProblem(setting.bubblewrap))
  const mounts = spec.mounts ?? {}
  const ripgrep = findRipgrep()
  const paths = pathsInside(mounts, { hasRipgrep: ripgrep !== null })
  refuseClosedFolders(setting, files, mounts)
  const { arguments: args, contents } = bubblewrapArguments({
    files,
    paths,
    mounts,
    node: reachableProgram({ path: process.execPath, version: process.version }, setting),
    ripgrep: ripgrep && reachableProgram(ripgrep, setting),
    agentSource: readFileSync(new URL('./exec-agent.mjs', import.meta.url), 'utf8'),
    loader: setting.loader,
    memoryBytes: spec.limits.memoryBytes,
    network: spec.network ?? null,
    bait: spec.bait ?? {},
    author: spec.author,
    seccompDescriptor: SECCOMP,
    infoDescriptor: INFO,
    contentsDescriptor: CONTENTS,
  })
  const enforcement = enforcementOf(setting)
  const filter = seccompFilter({ limitsSegments: enforcement.memory === 'polled' })
  const agent = agentCommand(paths)
  const group = setting.groups?.create(spec.id, spec.limits) ?? null

  const descriptors = CONTENTS + contents.length
  const [program, ...rest] = [
    ...closing(setting.inherited.filter((descriptor) => descriptor >= descriptors)),
    ...(setting.hasDisks && setting.owner ? mounting(files, setting.owner) : []),
    ...asOwner(setting.owner),
    setting.bubblewrap,
    '--args',
    String(ARGUMENTS),
    '--',
    ...withProcessLimits(spec.limits, enforcement),
    ...(setting.loader ? closedAgent(agent) : agent),
  ]
  const main = spawn(program!, rest, {
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    cwd: '/',
    // A Ctrl-C in the service's terminal is not for it.
    detached: true,
    stdio: Array.from({ length: descriptors }, () => 'pipe' as const),
  })
  const processes = watchProcesses(main, files, group)
  // bubblewrap has read none of its arguments yet, so it has started nothing that the groups do not hold.
  give(main, ARGUMENTS, args.map((arg) => `${arg}\0`).join(''))
  give(main, SECCOMP, filter)
  contents.forEach((content, index) => give(main, CONTENTS + index, content))
  const proxyUrl = spec.network ? proxyUrlInside : null
  return { processes, paths, enforcement, proxyUrl, canLookOnly: true, firstPid: processes.firstPid }
}

function refuseClosedFolders({ owner }: BubblewrapSetting, files: SandboxFiles, mounts: Record<string, string>): void {
  if (!owner) return
  for (const source of [files.folder, ...Object.values(mounts)]) {
    const closed = findClosedFolder(source, owner)
    if (closed) throw new Error(closedFolderProblem(closed, source, owner.uid))
  }
}

export function missingBubblewrapProblem(bubblewrap: string): string {
  return `${bubblewrap} is missing: run \`apt-get install bubblewrap\`.`
}

export function closedFolderProblem(closed: string, target: string, uid: number): string {
  return `The folder ${closed} is closed to the sandboxes' user ${uid}, who must reach ${target}: run \`chmod o+x ${closed}\`, or choose another data folder.`
}

/**
 * A pipe or a file that this process was left by whoever started it would be a way out.
 * Without `--norc` bash takes the pipe it reads from for a remote login, runs the user's `.bashrc`, and what that exports
 * can be read inside as the environment of the first process.
 */
function closing(descriptors: number[]): string[] {
  if (descriptors.length === 0) return []
  const each = descriptors.map((descriptor) => `${descriptor}>&-`).join(' ')
  return ['bash', '--norc', '-c', `exec ${each}; exec "$@"`, 'bash']
}

function asOwner(owner: SandboxOwner): string[] {
  if (!owner) return []
  const { uid, gid } = owner
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--inh-caps=-all']
}

/** Set inside, where the count of processes begins at none. */
function withProcessLimits(limits: SandboxLimits, enforcement: EnforcementReport): string[] {
  const each = [
    `--nofile=${serviceLimits.sandboxProcessOpenFiles}`,
    `--fsize=${limits.diskBytes}`,
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
  ]
  if (countsProcessesPerSandbox()) each.push(`--nproc=${limits.processes}`)
  if (enforcement.memory === 'polled') each.push(`--data=${limits.memoryBytes + RESERVED_BYTES}`)
  return ['prlimit', ...each, '--']
}

function give(main: ChildProcess, descriptor: number, data: string | Buffer): void {
  const pipe = main.stdio[descriptor] as Writable
  // If bubblewrap is not there any more, it says why on stderr.
  pipe.on('error', () => {})
  pipe.end(data)
}

/** Since Linux 5.14 the limit on a user's processes counts in each user namespace by itself. */
function countsProcessesPerSandbox(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14)
}

/** Then each session, of which a sandbox can make many, gets the same of the processor, and nice counts within one alone. */
export function hasSessionScheduling(): boolean {
  const file = '/proc/sys/kernel/sched_autogroup_enabled'
  return existsSync(file) && readFileSync(file, 'utf8').trim() === '1'
}

/** What holds a sandbox's limits on this machine. */
export function enforcementOf({ groups, hasDisks }: Pick<BubblewrapSetting, 'groups' | 'hasDisks'>): EnforcementReport {
  return {
    memory: groups?.holds.memory ? 'kernel' : 'polled',
    cpu: groups?.holds.cpu ? 'kernel' : hasSessionScheduling() ? 'none' : 'per-process',
    processes: groups?.holds.pids || countsProcessesPerSandbox() ? 'kernel' : 'none',
    disk: hasDisks ? 'kernel' : 'polled',
    network: 'kernel',
    kill: 'kernel',
  }
}

/** Puts what was started under the groups and on record: bubblewrap at once, the sandbox's first process when known. */
function watchProcesses(
  main: ChildProcess,
  files: SandboxFiles,
  group: ControlGroup | null,
): SandboxProcesses & { firstPid: () => number | null } {
  let outer: ProcessRecord | undefined
  let first: ProcessRecord | undefined
  const records = () => [outer, first].filter((record) => record !== undefined)
  if (main.pid !== undefined) {
    outer = recordOf(main.pid)
    try {
      // Inherited by all that it starts, which cannot take it back.
      setPriority(main.pid, NICE)
      group?.add(main.pid)
      writeRecords(files.records, records())
    } catch (error) {
      main.kill('SIGKILL')
      throw error
    }
  }
  let info = ''
  const infoPipe = (main.stdio as unknown[])[INFO] as Readable
  infoPipe.on('error', () => {})
  infoPipe.on('data', (chunk: Buffer) => {
    info += chunk
    const pid = /"child-pid"\s*:\s*(\d+)/.exec(info)?.[1]
    if (first || pid === undefined) return
    first = recordOf(Number(pid))
    try {
      writeRecords(files.records, records())
    } catch (error) {
      // A sandbox that nobody could find again must not run.
      main.kill('SIGKILL')
      main.emit('error', error)
    }
  })
  return {
    main,
    // The kernel ends all others with the first process of their namespace, and bubblewrap collects it.
    end: () => (first ? killRecorded(first) : main.kill('SIGKILL')),
    kill: () => {
      group?.kill()
      main.kill('SIGKILL')
    },
    gone: async () => {
      const ended = await Promise.all(records().map(endRecorded))
      await group?.remove()
      if (ended.includes(false)) return false
      removeRecords(files.records, records())
      return true
    },
    outOfMemoryKills: () => group?.outOfMemoryKills() ?? 0,
    firstPid: () => first?.pid ?? null,
  }
}
