/** What a repository's own files say of how it is set up and tried. */

export type CommandKind = 'install' | 'build' | 'test' | 'lint'

/** Where something was found; `line` counts from 1, null where it follows from the file as a whole. */
export type Reason = { path: string; line: number | null; says: string }

/** In the order in which they are believed. */
export const origins = ['declared', 'ci', 'lockfile'] as const
export type Origin = (typeof origins)[number]

/** Commands that belong together, such as those of one CI job, in their order. */
export type FoundGroup = {
  origin: Origin
  /** Names it: `.github/workflows/ci.yml: test`. */
  name: string
  commands: FoundCommand[]
}
export type FoundCommand = { kind: CommandKind; command: string; why: Reason }

/** A tool in the version that the repository asks for, as it writes it. */
export type WantedTool = { name: string; version: string; why: Reason }

export type Findings = {
  /** The most trustworthy first. */
  groups: FoundGroup[]
  tools: WantedTool[]
  /** The files on which an installation depends; with them it is to be looked at anew. */
  lockfiles: string[]
  /** What was there and could not be used, a sentence each. */
  notes: string[]
}

/** A repository's files, in a work tree or in a commit. */
export type ProbeSource = {
  /** Of all files, with `/`. */
  paths: readonly string[]
  /** Null for what is missing, no text, or longer than `fileBytesMax`. */
  read(path: string): Promise<string | null>
}

/** What is read of a repository at most, whatever is in it. */
export const probeLimits = {
  pathsMax: 50_000,
  fileBytesMax: 256 * 1024,
  filesMax: 60,
  workflowsMax: 20,
  /** Of one file, and of one command. */
  commandsMax: 60,
  commandCharactersMax: 2_000,
  /** Of all commands of one installation. */
  planCharactersMax: 12_000,
  groupsMax: 24,
  rootsMax: 4,
  notesMax: 20,
  yamlBytesMax: 64 * 1024,
  yamlDepthMax: 40,
} as const
