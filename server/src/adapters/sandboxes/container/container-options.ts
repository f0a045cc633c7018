import { readFileSync } from 'node:fs'
import type Docker from 'dockerode'
import {
  agentCommand,
  agentPath,
  environmentInside,
  maskedProcEntries,
  OWN_TEMPORARY_BYTES_MAX,
  sharedMemoryBytes,
  socketPath,
  systemFiles,
} from '#adapters/sandboxes/bubblewrap-arguments.ts'
import { closedAgent, loaderPath } from '#adapters/sandboxes/closed-agent.ts'
import { OWN_PROCESSES } from '#adapters/sandboxes/control-groups.ts'
import type { SandboxFiles } from '#adapters/sandboxes/sandbox-files.ts'
import type { CreateSandbox, SandboxLimits, SandboxPaths } from '#adapters/sandboxes/sandbox.ts'
import { limits as serviceLimits } from '#base/limits.ts'
import type { EngineFacts, EngineOptions, Image } from './engine.ts'

/** Half of the usual weight: when cores are short, the service comes first and each sandbox gets the same. */
const CPU_SHARES = 512
const RUN_BYTES = 1024 * 1024
/** Of all sandboxes together, where they are one user's. Podman as root may have 32,768 itself. */
const USER_PROCESSES = 16_384

/** What the types of the library do not know. */
const ownControlGroups = { CgroupnsMode: 'private' }

/** What is the same for every container of a sandbox. */
export type Hardening = {
  user: { uid: number; gid: number }
  facts: EngineFacts
  /** What `SecurityOpt` says of system calls: a file's path for Podman, the rules for Docker. */
  seccomp: string
  runtime: EngineOptions['runtime']
}

export type ContainerOptions = Hardening & {
  name: string
  labels: Record<string, string>
  image: Image
  files: SandboxFiles
  paths: SandboxPaths
  spec: CreateSandbox
  /** Files of the machine, by where they are shown. */
  programs: { node: string; ripgrep: string | null; agent: string; loader: string; system: Record<string, string> }
}

export function containerOptions(options: ContainerOptions): Docker.ContainerCreateOptions {
  const { paths, spec, files, image, programs } = options
  const environment = environmentOf(options)
  const { HostConfig, ...rest } = hardened(options, spec.limits)
  return {
    ...rest,
    name: options.name,
    Image: image.id,
    Labels: options.labels,
    // Engines add variables of their own, which `env -i` leaves out.
    Entrypoint: ['/usr/bin/env', '-i', ...environment, ...closedAgent(agentCommand(paths))],
    HostConfig: {
      ...HostConfig,
      ShmSize: sharedMemoryBytes(spec.limits.memoryBytes),
      Tmpfs: {
        '/run': `rw,nosuid,nodev,noexec,size=${RUN_BYTES},mode=755`,
        ...(files.isReadOnly && {
          [paths.temporary]: `rw,nosuid,nodev,size=${OWN_TEMPORARY_BYTES_MAX},mode=1777`,
        }),
      },
      Mounts: [
        bind(files.workspace, paths.workspace, files.isReadOnly || files.isWorkspaceReadOnly),
        bind(files.home, paths.home, files.isReadOnly),
        ...(files.isReadOnly ? [] : [bind(files.temporary, paths.temporary), bind(files.temporary, '/var/tmp')]),
        ...Object.entries(programs.system).map(([target, source]) => bind(source, target, true)),
        bind(programs.agent, agentPath, true),
        bind(programs.loader, loaderPath, true),
        // Not the folder: what else lies beside a Node is nobody's business inside.
        bind(programs.node, `${paths.nodeFolder}/node`, true),
        ...(programs.ripgrep && paths.ripgrep ? [bind(programs.ripgrep, paths.ripgrep, true)] : []),
        ...Object.entries(spec.mounts ?? {}).map(([name, source]) => bind(source, paths.mounts[name]!, true)),
        // Read-only is the way to it, not what goes through it.
        ...(spec.network ? [bind(files.socket, socketPath, true)] : []),
      ],
    },
  }
}

/** What holds for everything that we start in an image. */
export function hardened(
  { user, facts, seccomp, runtime }: Hardening,
  limits: SandboxLimits,
): Docker.ContainerCreateOptions {
  const masked = [...maskedProcEntries.map((name) => `/proc/${name}`), '/sys', '/proc/scsi']
  return {
    User: `${user.uid}:${user.gid}`,
    WorkingDir: '/',
    Hostname: 'sandbox',
    Cmd: [],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    StopSignal: 'SIGKILL',
    HostConfig: {
      ...(runtime !== null && { Runtime: runtime }),
      NetworkMode: 'none',
      IpcMode: 'private',
      ...ownControlGroups,
      ...(facts.isRootless && { UsernsMode: 'keep-id' }),
      Privileged: false,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', `seccomp=${seccomp}`, ...(facts.isPodman ? [`mask=${masked.join(':')}`] : [])],
      ...(!facts.isPodman && { MaskedPaths: masked }),
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      PidsLimit: limits.processes + OWN_PROCESSES,
      CpuShares: CPU_SHARES,
      Ulimits: ulimits(limits),
      // Else every byte of the protocol lands in a file of the engine.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
    },
  }
}

/** The image's variables, and over them those of every sandbox; programs of the image stay in the PATH. */
function environmentOf({ image, paths, spec }: ContainerOptions): string[] {
  const own = environmentInside({ paths, network: spec.network ?? null, bait: spec.bait ?? {} })
  const folders = [...(image.environment.PATH ?? '').split(':'), ...(own.PATH ?? '').split(':')]
  const all = { ...image.environment, ...own, PATH: [...new Set(folders.filter(Boolean))].join(':') }
  return Object.entries(all).map(([name, value]) => `${name}=${value}`)
}

/**
 * All that matter are named, as the engines' defaults lie above the hard limits of a service that is itself in a
 * container, and then no container starts. Processes are counted by user, whom all sandboxes share.
 */
function ulimits(limits: SandboxLimits): Docker.Ulimit[] {
  const each = {
    nofile: Math.min(serviceLimits.sandboxProcessOpenFiles, hardLimit('Max open files')),
    nproc: Math.min(USER_PROCESSES, hardLimit('Max processes')),
    fsize: limits.diskBytes,
    core: 0,
    memlock: 65_536,
    msgqueue: 0,
  }
  return Object.entries(each).map(([Name, value]) => ({ Name, Soft: value, Hard: value }))
}

/** Of this process. */
function hardLimit(name: string): number {
  const text = readFileSync('/proc/self/limits', 'utf8')
  const line = text.split('\n').find((one) => one.startsWith(name))
  const value = Number(line?.slice(name.length).trim().split(/\s+/)[1])
  return Number.isSafeInteger(value) ? value : 1_048_576
}

const bind = (source: string, target: string, isReadOnly = false): Docker.MountSettings => ({
  Type: 'bind',
  Source: source,
  Target: target,
  ReadOnly: isReadOnly,
})

/** Writes nothing; tells which files of /etc a container is shown, and what is in them. */
export const systemFilesOf = ({ user, spec }: Pick<ContainerOptions, 'user' | 'spec'>) =>
  [...systemFiles({ ...user, author: spec.author }), ['/etc/hostname', 'sandbox\n']] as [string, string][]
