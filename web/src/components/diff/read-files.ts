import { readDiff, type DiffFile } from '#ui/read-diff.ts'

/** The files of a change, as a query selects them: read once for each diff. */
export const readFiles = (diff: string): DiffFile[] => readDiff(diff).filter(({ path }) => path)
