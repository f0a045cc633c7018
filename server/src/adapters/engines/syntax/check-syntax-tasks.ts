// Runs in processes of `check-syntax.ts`, which ends one that takes too long or too much.
import { serveTasks } from '#base/off-process/serve-tasks.ts'
import { findSyntaxFault, type SyntaxFault } from './find-syntax-fault.ts'

/** A file as it was, null for a new one, and as it is. */
export type SyntaxTask = { path: string; before: string | null; after: string }

serveTasks<SyntaxFault | null>(async (task) => {
  const { path, before, after } = task as SyntaxTask
  const fault = await findSyntaxFault(path, after)
  // One that could not be read before is not due to this change, and may be none: the grammars have gaps.
  return fault && before !== null && (await findSyntaxFault(path, before)) ? null : fault
})
