/** What ran in a sandbox, and how it ended; all text of it is masked. */
export type SandboxCommand = {
  /** Counted from 1 in each sandbox; the first ones are gone where there were many. */
  n: number
  /** The line for the shell, or the program and its arguments. */
  command: string
  startedAt: Date
  durationMs: number
  /** Null where a signal ended it. */
  exitCode: number | null
  /** `exited`, `timeout`, `killed`, `out_of_memory`, `sandbox_lost`. */
  reason: string
  /** The end of what it printed. */
  output: string
  /** How many bytes came before that. */
  cutBytes: number
}
