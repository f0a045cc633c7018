import { existsSync, lstatSync } from 'node:fs'
import type { Author } from '#base/own-author.ts'
import { baitEnvironment, commandEnvironment, gitConfig, proxyEnvironment } from './command-environment.ts'
import { loaderPath } from './closed-agent.ts'
import type { SandboxFiles } from './sandbox-files.ts'
import type { SandboxNetwork, SandboxPaths } from './sandbox.ts'

/** User and group inside. Who they are outside, bubblewrap's own user says. */
const UID_INSIDE = 1000
const SHARED_MEMORY_BYTES_MAX = 256 * 1024 * 1024
/** Of what a sandbox has, for memory that its processes share. */
export function sharedMemoryBytes(memoryBytes: number): number {
  return Math.min(SHARED_MEMORY_BYTES_MAX, Math.floor(memoryBytes / 4))
}
/** In memory, for a command that may only look. */
export const OWN_TEMPORARY_BYTES_MAX = 256 * 1024 * 1024

export const agentPath = '/run/runwright/exec-agent.mjs'
const AGENT_HEAP_MEBIBYTES = 64

/** What starts the exec agent, by the Node that is shown inside. */
export const agentCommand = ({ nodeFolder }: Pick<SandboxPaths, 'nodeFolder'>): string[] => [
  `${nodeFolder}/node`,
  `--max-old-space-size=${AGENT_HEAP_MEBIBYTES}`,
  '--no-warnings',
  agentPath,
]

/** Where the exec agent finds our socket, and where it listens for what is to go through it. */
export const socketPath = '/run/runwright/network.sock'
/** Where it finds the service itself, where that has no pipe to it. */
export const agentSocketPath = '/run/runwright/agent.sock'
const PROXY_PORT = 3128
export const proxyUrlInside = `http://127.0.0.1:${PROXY_PORT}`

/** What programs need of /etc and tells nothing about the machine's people. */
const etcEntries = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'fonts',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'pki',
  'profile',
  'protocols',
  'services',
  'ssl/certs',
  'timezone',
]

/** What /proc tells about the machine rather than about the sandbox. */
export const maskedProcEntries = [
  'acpi',
  'asound',
  'bootconfig',
  'buddyinfo',
  'bus',
  'cmdline',
  'config.gz',
  'consoles',
  'diskstats',
  'driver',
  'dynamic_debug',
  'fs',
  'interrupts',
  'iomem',
  'ioports',
  'irq',
  'kallsyms',
  'kcore',
  'key-users',
  'keys',
  'kmsg',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'locks',
  'mdstat',
  'modules',
  'mtrr',
  'pagetypeinfo',
  'partitions',
  'pressure',
  'sched_debug',
  'schedstat',
  'scsi',
  'slabinfo',
  'softirqs',
  'swaps',
  'sysrq-trigger',
  'timer_list',
  'tty',
  'vmallocinfo',
  'zoneinfo',
]

const mountNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Where things lie inside. The same for every sandbox but for its mounts. */
export function pathsInside(mounts: Record<string, string>, { hasRipgrep }: { hasRipgrep: boolean }): SandboxPaths {
  const names = Object.keys(mounts)
  const unfit = names.find((name) => !mountNamePattern.test(name))
  if (unfit !== undefined) throw new TypeError(`not the name of a mount: ${JSON.stringify(unfit)}`)
  return {
    workspace: '/workspace',
    home: '/home/agent',
    temporary: '/tmp',
    nodeFolder: '/run/runwright/bin',
    ripgrep: hasRipgrep ? '/run/runwright/bin/rg' : null,
    mounts: Object.fromEntries(names.map((name) => [name, `/run/runwright/mounts/${name}`])),
  }
}

export type BubblewrapArguments = {
  files: SandboxFiles
  paths: SandboxPaths
  mounts: Record<string, string>
  /** Of the host, reachable for the sandboxes' user. */
  node: string
  ripgrep: string | null
  agentSource: string
  /** The program that starts the agent closed to others; null: it is started as it is. */
  loader: Buffer | null
  memoryBytes: number
  /** Null: it has none. */
  network: Pick<SandboxNetwork, 'environment'> | null
  bait: Record<string, string>
  author?: Author | undefined
  /** Descriptors of bubblewrap from which it reads the filter, and to which it writes what it started. */
  seccompDescriptor: number
  infoDescriptor: number
  /** The first of those that carry `contents`, in their order. */
  contentsDescriptor: number
}

/** All that bubblewrap is told, and the contents of the files that exist only inside. */
export function bubblewrapArguments(options: BubblewrapArguments): {
  arguments: string[]
  contents: (string | Buffer)[]
} {
  const contents: (string | Buffer)[] = []
  const show = (path: string, content: string | Buffer) => {
    contents.push(content)
    return ['--ro-bind-data', String(options.contentsDescriptor + contents.length - 1), path]
  }
  const inlineFiles = filesInside(options).flatMap(([path, content]) => show(path, content))
  // Its first process is the one that the loader starts.
  const loader = options.loader ? ['--as-pid-1', '--perms', '0111', ...show(loaderPath, options.loader)] : []
  return {
    arguments: [
      isolation(),
      systemFolders(),
      inlineFiles,
      loader,
      procAndDevices(options.memoryBytes),
      ownFolders(options),
      environment(options),
      ['--chdir', '/', '--remount-ro', '/'],
      ['--seccomp', String(options.seccompDescriptor), '--info-fd', String(options.infoDescriptor)],
    ].flat(),
    contents,
  }
}

function isolation(): string[] {
  return [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup'],
    ['--disable-userns', '--assert-userns-disabled', '--cap-drop', 'ALL'],
    ['--uid', String(UID_INSIDE), '--gid', String(UID_INSIDE), '--hostname', 'sandbox'],
    ['--die-with-parent', '--new-session', '--clearenv'],
  ].flat()
}

/** /usr and its old names in the root: links on most systems, folders on some. */
function systemFolders(): string[] {
  const roots = ['bin', 'sbin', 'lib', 'lib64', 'lib32', 'libx32'].flatMap((name) => {
    const stat = lstatSync(`/${name}`, { throwIfNoEntry: false })
    if (!stat) return []
    return stat.isSymbolicLink() ? ['--symlink', `usr/${name}`, `/${name}`] : ['--ro-bind', `/${name}`, `/${name}`]
  })
  const etc = etcEntries.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`])
  return ['--ro-bind', '/usr', '/usr', ...roots, ...etc]
}

function filesInside({ agentSource, author }: BubblewrapArguments): [path: string, content: string][] {
  return [
    ...systemFiles({ uid: UID_INSIDE, gid: UID_INSIDE, author }),
    // As text and not as a bind: the folder that the service lies in may be closed to the sandbox's user.
    [agentPath, agentSource],
  ]
}

/** Files of /etc that are made for a sandbox. */
export function systemFiles({
  uid,
  gid,
  author,
}: {
  uid: number
  gid: number
  author?: Author | undefined
}): [path: string, content: string][] {
  const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'
  return [
    [
      '/etc/passwd',
      `root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:${uid}:${gid}:agent:/home/agent:/bin/bash\n${nobody}\n`,
    ],
    ['/etc/group', `root:x:0:\nagent:x:${gid}:\nnogroup:x:65534:\n`],
    ['/etc/hosts', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
    ['/etc/resolv.conf', ''],
    ['/etc/gitconfig', gitConfig(author)],
  ]
}

function procAndDevices(memoryBytes: number): string[] {
  const masks = maskedProcEntries.flatMap((name) => {
    const path = `/proc/${name}`
    if (!existsSync(path)) return []
    if (!lstatSync(path).isDirectory()) return ['--ro-bind', '/dev/null', path]
    return ['--size', '4096', '--tmpfs', path, '--remount-ro', path]
  })
  return [
    ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys', ...masks],
    ['--dev', '/dev', '--size', String(sharedMemoryBytes(memoryBytes)), '--perms', '1777', '--tmpfs', '/dev/shm'],
    ['--remount-ro', '/dev'],
  ].flat()
}

function ownFolders({ files, paths, mounts, node, ripgrep, network }: BubblewrapArguments): string[] {
  const readOnly = Object.entries(mounts).flatMap(([name, source]) => ['--ro-bind', source, paths.mounts[name]!])
  const bind = (isReadOnly: boolean) => (isReadOnly ? '--ro-bind' : '--bind')
  const temporary = files.isReadOnly
    ? ['--size', String(OWN_TEMPORARY_BYTES_MAX), '--perms', '0700', '--tmpfs', paths.temporary]
    : ['--bind', files.temporary, paths.temporary]
  return [
    [bind(files.isReadOnly || files.isWorkspaceReadOnly), files.workspace, paths.workspace],
    [bind(files.isReadOnly), files.home, paths.home],
    [...temporary, '--symlink', '../tmp', '/var/tmp'],
    // Not the folder: what else lies beside a Node is nobody's business inside.
    ['--ro-bind', node, `${paths.nodeFolder}/node`, ...readOnly],
    ripgrep && paths.ripgrep ? ['--ro-bind', ripgrep, paths.ripgrep] : [],
    // Read-only is the way to it, not what goes through it.
    network ? ['--ro-bind', files.socket, socketPath] : [],
  ].flat()
}

function environment(options: BubblewrapArguments): string[] {
  return Object.entries(environmentInside(options)).flatMap(([name, value]) => ['--setenv', name, value])
}

type EnvironmentInside = Pick<BubblewrapArguments, 'paths' | 'network' | 'bait'>

/** What the first program inside finds in its environment. */
export function environmentInside({ paths, network, bait }: EnvironmentInside): Record<string, string> {
  const { home, temporary, nodeFolder, ripgrep } = paths
  return {
    ...commandEnvironment({ home, temporary, nodeFolder, ripgrep }),
    ...(network && { ...proxyEnvironment(proxyUrlInside), ...network.environment?.(proxyUrlInside) }),
    ...baitEnvironment(bait),
  }
}
