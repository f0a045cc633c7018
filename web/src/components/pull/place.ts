import type { PullRequestComment } from '@runwright/sdk'
import type { DiffFile, DiffLine } from '#ui/read-diff.ts'

/** A line of a file, as it was or as it is now. */
export type Place = { path: string; line: number; side: 'base' | 'head' }

export function placeOf({ path, pathBefore }: DiffFile, { before, after }: DiffLine): Place {
  return after === null ? { path: pathBefore, line: before!, side: 'base' } : { path, line: after, side: 'head' }
}

export const isAt = (place: Place, { path, line, side }: Place | PullRequestComment): boolean =>
  path === place.path && line === place.line && side === place.side
