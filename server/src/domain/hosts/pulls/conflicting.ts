import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import type { Pull } from './pull.ts'

/** Names the files that stand against it. */
export function conflicting(pull: Pull, paths: string[]): AppError {
  const named = paths.slice(0, limits.conflictsNamedMax).join(', ')
  const more = paths.length > limits.conflictsNamedMax ? ` and ${paths.length - limits.conflictsNamedMax} more` : ''
  return new AppError('merge_conflict', {
    message: `Pull request ${pull.id} and ${pull.baseBranch} changed the same lines of: ${named}${more}.`,
  })
}
