/**
 * A sandbox: where an agent's commands run. It sees nothing of the host but read-only system folders, and has no network
 * but one address inside, behind which we decide.
 */
import type { Duplex } from 'node:stream'
import type { EnforcementReport } from '#base/enforcement.ts'
import type { Author } from '#base/own-author.ts'

export type SandboxLimits = {
  memoryBytes: number
  processes: number
  diskBytes: number
  /** Wall clock of the whole sandbox; held from outside. */
  lifetimeMs: number
}

/** The one way out of a sandbox: whatever connects to its `proxyUrl` inside arrives here. */
export type SandboxNetwork = {
  /** Takes over a connection; each of its ends closes by itself. Never throws. */
  connect(connection: Duplex): void
  /** What commands are told of it in their environment, besides that it is their proxy. */
  environment?(proxyUrl: string): Record<string, string>
}

export type CreateSandbox = {
  /** Chosen by the caller, `[a-z0-9][a-z0-9-]{0,62}`. The files of a sandbox outlive it until `remove`: creating one of
   *  the same id again finds the workspace as it was left, after what still ran of the earlier one is killed. */
  id: string
  limits: SandboxLimits
  /** Host folders shown read-only inside, by name, such as the objects of the repository's mirror. */
  mounts?: Record<string, string>
  /** In the environment of the sandbox's first program, and in that of no command: who finds it there has gone looking. */
  bait?: Record<string, string>
  /** None when left out. Where it is given, the environment of commands names the sandbox's `proxyUrl` as their proxy. */
  network?: SandboxNetwork
  /** Whether another one like it, but for its id, is likely to be wanted soon: it may be made ready ahead. */
  recurs?: boolean
  /** Who commits inside, as git is told unless the work tree says otherwise; the service itself when left out. */
  author?: Author
}

/** Where things lie, as commands inside see it. In a real sandbox these are the same for every run. */
export type SandboxPaths = {
  /** The work tree, writable: `/workspace`. */
  workspace: string
  /** The agent's home, writable: `/home/agent`. */
  home: string
  /** Writable: `/tmp`. */
  temporary: string
  /** The folder of a `node` of version 24 or newer, for our own programs; last in the commands' PATH. */
  nodeFolder: string
  /** Our own `rg`, which is in the commands' PATH too; null where there is none for this machine. */
  ripgrep: string | null
  mounts: Record<string, string>
}

export type ExecRequest = {
  /** Exactly one of both. `shell` runs under `bash -c`. */
  argv?: string[]
  shell?: string
  /** The workspace when not given. */
  cwd?: string
  /** On top of the sandbox's clean environment. */
  env?: Record<string, string>
  /** Names of secrets for its environment. What an engine is given fills them in; a sandbox itself knows none. */
  secrets?: string[]
  /** In processes of its own, over the same files: whatever else runs inside, then or later, cannot look into them. */
  ownNamespace?: boolean
  /** It can only look: workspace and home are read-only, `/tmp` is its own and empty, and there is no network. In processes of
   *  its own, which are gone when its result is there. For sandboxes with `canLookOnly` alone. */
  looksOnly?: boolean
  /** The workspace is read-only, and nothing else is. In processes of its own, as for `ownNamespace`. For sandboxes with `canLookOnly` alone. */
  keepsWorkTree?: boolean
  stdin?: string | Uint8Array
  /** Keep stdin open for `write`. */
  interactive?: boolean
  /** It outlives the call that started it and is spoken with: secrets are taken out of its output, and nobody is shown it live. */
  isSession?: boolean
  /** The command's whole process tree is killed after this; required, so that nothing runs for ever. */
  timeoutMs: number
  /** What is kept of stdout and of stderr, each; the rest is dropped and `cutBytes` counts it. */
  outputBytesMax?: number
  /** What each of the two streams goes through, to its end, before anything of it is kept or heard. */
  openFilter?: () => OutputFilter
  /** Called for each piece as it comes, also for what the result does not keep. */
  onOutput?: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => void
  /** Aborting kills the whole process tree. */
  signal?: AbortSignal
}

export type OutputFilter = {
  write(piece: Uint8Array): Uint8Array
  end(): Uint8Array
  /** What it holds back, fit to be shown now; it comes out later as well. */
  peek?(): Uint8Array
}

export type ExecResult = {
  /** Null when a signal ended it. 127 when it could not be started. */
  exitCode: number | null
  reason: 'exited' | 'timeout' | 'killed' | 'out_of_memory' | 'sandbox_lost'
  stdout: Buffer
  stderr: Buffer
  /** Both streams as they came, in order; what a person would have seen. */
  output: Buffer
  cutBytes: number
  durationMs: number
}

export type Exec = {
  /** Resolves when the command and what it left in its process group are gone. Never rejects. */
  readonly result: Promise<ExecResult>
  /** What the filter of stdout holds back, fit to be shown now; it comes out later as well. */
  peek?(): Uint8Array
  write(data: string | Uint8Array): void
  kill(): void
}

export interface Sandbox extends AsyncDisposable {
  readonly id: string
  readonly paths: SandboxPaths
  readonly enforcement: EnforcementReport
  readonly limits: SandboxLimits
  /** Where programs inside reach us, without a slash at the end; null without a network. */
  readonly proxyUrl: string | null
  /** Whether it can hold a command to looking: `looksOnly`, `keepsWorkTree`. */
  readonly canLookOnly: boolean
  exec(request: ExecRequest): Exec
  /** Done inside, so links resolve inside. Rejects with a `SandboxFileError` for what is missing, no file, or too big. */
  readFile(path: string, options?: { bytesMax?: number }): Promise<Buffer>
  /** Makes missing folders. Keeps an existing file's mode. Rejects with a `SandboxFileError`. */
  writeFile(path: string, data: Uint8Array, options?: { mode?: number }): Promise<void>
  /** Kills everything inside and resolves when nothing is left. Its files stay. May be called twice. */
  stop(reason: string): Promise<void>
  /** Resolves when the sandbox has ended, for whatever reason; `disk_full`, `out_of_memory`, `open_files`, `lifetime` are
   *  limits it went over, and `unmeasured` means that nobody could say whether it did.
   *  Never rejects. */
  readonly closed: Promise<{ reason: string }>
}

export class SandboxFileError extends Error {
  override readonly name = 'SandboxFileError'
  /** `ENOENT`, `EISDIR`, `EACCES`, `ENOSPC`, `EFBIG`, … */
  readonly code: string
  constructor(code: string, path: string) {
    super(`${path}: ${code}`)
    this.code = code
  }
}

/** What an operator should know of. */
export type SandboxTrouble = {
  /**
   * `processes_left`: processes of a sandbox are still there after they were killed; its files are kept aside until they end.
   * `not_made_ready`: no sandbox can be made ready ahead, so each run waits for its own.
   */
  kind: 'processes_left' | 'not_made_ready'
  id: string
  error?: unknown
}
export type OnTrouble = (trouble: SandboxTrouble) => void

export type SandboxStatus = {
  isolated: boolean
  /** What must be fixed before agents may run here. */
  problems: string[]
  /** What holds, though less well than it could on another machine. */
  notes: string[]
  enforcement: EnforcementReport
}

export interface SandboxProvider {
  /** `bubblewrap`, `unsafe`. */
  readonly name: string
  /** How the limits of its sandboxes are held on this machine. */
  readonly enforcement: EnforcementReport
  /** Really starts one and looks at it from inside. */
  probe(): Promise<SandboxStatus>
  create(spec: CreateSandbox): Promise<Sandbox>
  /**
   * Stops the sandbox of this id if it runs, by whichever process it was started, and removes its files. They are out of
   * the way before they are gone: from `onAside` on, what is created under this id is another one's.
   */
  remove(id: string, options?: { onAside?: () => void }): Promise<void>
  /** The ids whose files are here. */
  list(): Promise<string[]>
  /** Removes those that were made ready and that nobody has got, and makes none any more. Others go on. */
  close(): Promise<void>
}
