import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findClosedFolder } from './find-closed-folder.ts'
import {
  closedFolderProblem,
  enforcementOf,
  hasSessionScheduling,
  missingBubblewrapProblem,
  type BubblewrapSetting,
} from './launch-bubblewrap.ts'
import type { LocalProvider } from './local-provider.ts'
import { readRecords } from './process-record.ts'
import { filesOf } from './sandbox-files.ts'
import type { Sandbox, SandboxStatus } from './sandbox.ts'

const probeLimits = { memoryBytes: 512 * 1024 * 1024, processes: 64, diskBytes: 64 * 1024 * 1024, lifetimeMs: 60_000 }
const COMMAND_MS = 10_000
const MANY_PROCESSES = 20

/** Switches that forbid what bubblewrap does: the file, the value that forbids it, and what to do. */
const kernelSwitches: [file: string, forbidding: string, advice: string][] = [
  [
    '/proc/sys/kernel/unprivileged_userns_clone',
    '0',
    'The kernel forbids user namespaces: run `sysctl -w kernel.unprivileged_userns_clone=1`.',
  ],
  [
    '/proc/sys/user/max_user_namespaces',
    '0',
    'The kernel allows no user namespaces: run `sysctl -w user.max_user_namespaces=15000`.',
  ],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'AppArmor restricts user namespaces: run `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, or give bubblewrap a profile with `userns`.',
  ],
]

/** Starts a sandbox and judges it, from inside and from this machine's side. */
export async function probeBubblewrap(setting: BubblewrapSetting, local: LocalProvider): Promise<SandboxStatus> {
  const assumed = { enforcement: enforcementOf(setting), notes: notesOn(setting) }
  const missing = [
    ...missingPrograms(setting),
    ...unmountable(setting),
    ...closedFolders(setting),
    ...sharedUser(setting),
  ]
  if (missing.length > 0) return { isolated: false, problems: missing, ...assumed }
  const id = `probe-${randomUUID().slice(0, 8)}`
  try {
    const sandbox = await local.create({ id, limits: probeLimits })
    const problems = [...(await seenFromInside(sandbox)), ...seenFromOutside(setting, id)]
    return { isolated: problems.length === 0, problems, ...assumed }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { isolated: false, problems: [...forbiddenByKernel(), asSentence(message)], ...assumed }
  } finally {
    await local.remove(id)
  }
}

function missingPrograms({ bubblewrap, owner }: BubblewrapSetting): string[] {
  const problems: string[] = []
  if (!isExecutable(bubblewrap)) problems.push(missingBubblewrapProblem(bubblewrap))
  if (!isOnPath('bash')) problems.push('bash is missing: run `apt-get install bash`.')
  for (const program of owner ? ['prlimit', 'setpriv'] : ['prlimit'])
    if (!isOnPath(program)) problems.push(`${program} is missing: run \`apt-get install util-linux\`.`)
  return problems
}

function unmountable({ owner, hasDisks }: BubblewrapSetting): string[] {
  if (!hasDisks) return []
  if (!owner)
    return [
      'Only root can give sandboxes disks of their own: start the service as root, or without `RUNWRIGHT_SANDBOX_DISK`.',
    ]
  if (!isOnPath('mkfs.ext4')) return ['mkfs.ext4 is missing: run `apt-get install e2fsprogs`.']
  if (!existsSync('/dev/loop-control'))
    return ['There are no loop devices: run `modprobe loop`, or leave `RUNWRIGHT_SANDBOX_DISK` out.']
  return []
}

function closedFolders({ folder, owner }: BubblewrapSetting): string[] {
  if (!owner) return []
  const closed = findClosedFolder(path.dirname(path.resolve(folder)), owner)
  return closed ? [closedFolderProblem(closed, folder, owner.uid)] : []
}

/** Whose number somebody else on this machine has, be it PostgreSQL, is not alone in its isolation. */
function sharedUser({ owner }: BubblewrapSetting): string[] {
  if (!owner) return []
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.split(':')[2] === String(owner.uid))
  if (entry === undefined) return []
  return [`The sandboxes' user ${owner.uid} is "${entry.split(':')[0]}" on this machine: give that one another number.`]
}

function notesOn({ owner, groups, hasDisks }: BubblewrapSetting): string[] {
  const notes: string[] = []
  if (!owner)
    notes.push(
      "Sandboxes run as the service's own user. Started as root, the service gives them a user that owns nothing else.",
    )
  if (owner && !hasDisks)
    notes.push(
      'What sandboxes write is looked at every few seconds. `RUNWRIGHT_SANDBOX_DISK=kernel` gives each a disk of its own.',
    )
  if (!groups?.holds.memory)
    notes.push(
      'No control groups can be made here: memory is looked at a few times a second, and the processor is not shared out. Start the service as root, or by systemd with `Delegate=yes`.',
    )
  if (!groups?.holds.cpu && hasSessionScheduling())
    notes.push(
      'The kernel shares the processor out by sessions, so busy sandboxes slow the service down: run `sysctl -w kernel.sched_autogroup_enabled=0`.',
    )
  return notes
}

async function seenFromInside(sandbox: Sandbox): Promise<string[]> {
  const script = `cat /proc/self/status; tail -n +3 /proc/net/dev | cut -d: -f1; ls /proc | grep -c '^[0-9]'
    (echo x > /proc/sys/kernel/core_pattern) 2>/dev/null && echo WRITABLE /proc/sys
    (touch /usr/bin/probe) 2>/dev/null && echo WRITABLE /usr
    git init -q /tmp/probe && git -C /tmp/probe commit -q --allow-empty -m probe && echo GIT WORKS`
  const { stdout, stderr, exitCode } = await sandbox.exec({ shell: script, timeoutMs: COMMAND_MS }).result
  const seen = stdout.toString()
  const problems: string[] = []
  const expect = (isAsExpected: boolean, problem: string) => {
    if (!isAsExpected) problems.push(problem)
  }
  expect(/^CapEff:\s+0{16}$/m.test(seen), 'Commands in a sandbox keep capabilities: use bubblewrap 0.8 or newer.')
  expect(/^NoNewPrivs:\s+1$/m.test(seen), 'Commands in a sandbox may gain rights: use bubblewrap 0.8 or newer.')
  expect(/^Seccomp:\s+2$/m.test(seen), 'The kernel filters no system calls: it needs CONFIG_SECCOMP_FILTER.')
  expect(/^[ \t]*lo$/m.test(seen) && !/^[ \t]*(?:eth|en|wl|docker|veth)\w+$/m.test(seen), 'A sandbox sees the network.')
  expect(Number(/^\d+$/m.exec(seen)?.[0] ?? MANY_PROCESSES) < MANY_PROCESSES, 'A sandbox sees foreign processes.')
  for (const [, place] of seen.matchAll(/^WRITABLE (.*)$/gm)) problems.push(`A sandbox can write to ${place}.`)
  if (exitCode !== 0 || !/^GIT WORKS$/m.test(seen))
    problems.push(
      `git does not work in a sandbox: run \`apt-get install git\`. ${stderr.toString().trim().slice(0, 200)}`,
    )
  return problems
}

/** The map of users inside is relative to a namespace between; only this side knows who it really is. */
function seenFromOutside({ folder, owner }: BubblewrapSetting, id: string): string[] {
  const pid = readRecords(filesOf(folder, id).records).at(-1)?.pid
  const uids = /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split(/\s+/) ?? []
  const expected = String(owner?.uid ?? process.getuid?.())
  if (uids.length > 0 && uids.every((uid) => uid === expected)) return []
  return [`A sandbox runs as user ${uids.join(', ')} and not as ${expected}.`]
}

function forbiddenByKernel(): string[] {
  return kernelSwitches.flatMap(([file, forbidding, advice]) =>
    existsSync(file) && readFileSync(file, 'utf8').trim() === forbidding ? [advice] : [],
  )
}

const asSentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`

const isOnPath = (program: string) =>
  ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].some((folder) => isExecutable(path.join(folder, program)))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
