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
import { lookFromOutside } from './look-from-outside.ts'
import { lookInside, probeLimits, type InsideAdvice } from './look-inside.ts'
import { newProbeId } from './probe-id.ts'
import type { SandboxStatus } from './sandbox.ts'

const bubblewrapAdvice: InsideAdvice = {
  rights: 'use bubblewrap 0.8 or newer.',
  programs: 'run `apt-get install git`.',
}

const unrecorded = 'No process of a sandbox was recorded.'

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
  const id = newProbeId()
  try {
    const sandbox = await local.create({ id, limits: probeLimits })
    const problems = [
      ...(await lookInside(sandbox, bubblewrapAdvice)),
      ...(lookFromOutside(setting, id) ?? [unrecorded]),
    ]
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

function forbiddenByKernel(): string[] {
  return kernelSwitches.flatMap(([file, forbidding, advice]) =>
    existsSync(file) && readFileSync(file, 'utf8').trim() === forbidding ? [advice] : [],
  )
}

export const asSentence = (message: string) =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`

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
