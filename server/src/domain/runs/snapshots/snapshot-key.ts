import { createHash } from 'node:crypto'

export type SnapshotKey = {
  commands: readonly string[]
  /** Names of secrets that the commands are given. */
  secretNames: readonly string[]
  /** What of this machine the commands find: its system, its programs. */
  machine: string
  /** To which folders of them the work tree is limited. */
  paths?: readonly string[]
  /** Files of the commit that the commands are run in. */
  files: readonly { path: string; id: string }[]
}

/** Changed whenever what is kept of a setup, or how, is another. */
const layout = 1

/** The same for two work trees where setup leaves the same: everything it depends on that we can know. */
export function snapshotKey({ commands, secretNames, machine, paths = [], files }: SnapshotKey): string {
  const words = new Set(
    commands
      .join(' ')
      .split(/[\s'"=;&|()<>]+/)
      .map((word) => word.replace(/^(\.\/)+/, '')),
  )
  const counted = files.filter(({ path }) => decides.test(path) || words.has(path))
  const parts: unknown[] = [
    layout,
    commands,
    [...secretNames].sort(),
    machine,
    counted.map(({ path, id }) => [path, id]),
  ]
  if (paths.length) parts.push([...paths].sort())
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/**
 * Files that say what is installed: lock files; what stands where there is none; versions of tools. And files that the
 * commands name, such as scripts.
 */
const names = [
  'package(?:-lock)?\\.json|npm-shrinkwrap\\.json|\\.npmrc|pnpm-lock\\.yaml|pnpm-workspace\\.yaml|yarn\\.lock|\\.yarnrc(?:\\.yml)?|bun\\.lockb?',
  'pyproject\\.toml|setup\\.(?:py|cfg)|uv\\.lock|poetry\\.lock|Pipfile(?:\\.lock)?|[\\w.-]{0,100}(?:requirements|constraints)[\\w.-]{0,100}\\.(?:txt|in)|pip\\.conf',
  'go\\.(?:mod|sum|work|work\\.sum)|Cargo\\.(?:toml|lock)|rust-toolchain(?:\\.toml)?',
  'pom\\.xml|(?:build|settings)\\.gradle(?:\\.kts)?|gradle\\.lockfile|libs\\.versions\\.toml|gradle-wrapper\\.properties|maven-wrapper\\.properties',
  'Gemfile(?:\\.lock)?|composer\\.(?:json|lock)|mix\\.(?:exs|lock)|[\\w.-]{1,200}\\.csproj|packages\\.lock\\.json',
  '\\.tool-versions|\\.?mise\\.toml|\\.nvmrc|\\.node-version|\\.python-version|\\.ruby-version|\\.java-version|Makefile',
]
const decides = new RegExp(`(?:^|/)(?:${names.join('|')})$`)
