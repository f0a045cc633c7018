import type { FoundEnvironment } from '#http/input/read-environment.ts'

export function presentEnvironment({
  commit,
  setupCommands,
  setupRequired,
  checks,
  push,
  egress,
  problems,
  hookProblems,
}: FoundEnvironment) {
  return {
    commit,
    setup: setupCommands,
    setup_required: setupRequired,
    checks,
    push: push && {
      needs_person: push.needsPerson,
      max_bytes: push.bytesMax ?? null,
      max_files: push.filesMax ?? null,
    },
    // What the file asks for; all that a run may reach is said beside.
    egress,
    problems: [...problems, ...hookProblems],
  }
}
