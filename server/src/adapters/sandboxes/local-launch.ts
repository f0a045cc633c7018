import type { EnforcementReport } from '#base/enforcement.ts'
import type { Author } from '#base/own-author.ts'
import type { SandboxProcesses } from './local-sandbox.ts'
import type { Meter } from './meter.ts'
import type { SandboxFiles, SandboxOwner } from './sandbox-files.ts'
import type { CreateSandbox, OnTrouble, SandboxPaths } from './sandbox.ts'

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
  /** Some are made ready before they are needed; without one, none are. Not for files on file systems of their own. */
  warm?: WarmSetting | undefined
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
  /** Its folder has another name from now on, and so have all files in it. */
  onMoved?: (files: SandboxFiles) => void
}

export type PoolSetting = {
  /** How many sandboxes are ready at once, at most. */
  size: number
  /** Nothing is made ready until so long after the last sandbox was created. */
  quietMs?: number
  /** For so long one waits for somebody, then it is removed. */
  ageMsMax?: number
  /** Told how many are ready, whenever that changes. */
  onReady?: (count: number) => void
}

export type WarmSetting = PoolSetting & {
  /** What differs between sandboxes that are launched now and then, besides what each is asked for; such as the image. */
  kindOf: () => Promise<string>
  /** Makes the file that tells git who commits say this, for those as well who are shown it already, and tells where they are. */
  rewriteAuthor: (files: SandboxFiles, author: Author | undefined) => { path: string; content: string }
}
