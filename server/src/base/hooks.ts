/** Commands of a repository that are run besides those of an agent. */
export type Hooks = {
  /** After a change to a file that one of the patterns covers (no patterns: to any). Its path is `$1`. */
  afterEdit: { command: string; paths: string[] }[]
  /** Before the work may end; what fails there is to be fixed first. */
  beforeFinish: string[]
}

export const noHooks: Hooks = { afterEdit: [], beforeFinish: [] }
