/** A server of the Model Context Protocol whose tools runs may use. */
export type McpServer = {
  id: number
  /** Null: all runs of the organization may use it. */
  repoId: number | null
  name: string
  /** Of one on a host; null: it is started by `command` in the sandbox of each run. */
  url: string | null
  /** Values name secrets as `${NAME}`. */
  headers: Record<string, string>
  command: string[] | null
  /** As `headers`. */
  env: Record<string, string>
  enabled: boolean
  createdAt: Date
  updatedAt: Date
}

/** Columns of an `McpServer`, in its names. */
export const mcpServerColumns = `id, repo_id, name, url, headers, command, env, enabled, created_at, updated_at`
