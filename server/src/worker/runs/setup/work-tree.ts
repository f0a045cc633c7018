import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import type { Environment } from '#domain/repos/environment.ts'
import type { WorkPaths } from '#domain/repos/work-paths.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'

export type PrepareWorkTree = {
  /** Whoever needs it; what the setup asks of the network is asked for them, through their proxy. */
  holder: ProxyHolder
  repo: Repo
  ref: RepoRef
  environment: Environment
  /** Of the branch that people answer for: what is kept for others is made of it alone. */
  commit: string
  /** Where the repository's objects lie on this machine. */
  objectsPath: string
  /** To which folders it is limited. */
  paths: WorkPaths
  /** What setup leaves in them is kept for nobody. */
  hasSubmodules: boolean
  /** What every command has in its environment. */
  secrets: readonly { name: string; value: string }[]
  redactor: Redactor
  signal: AbortSignal
}
