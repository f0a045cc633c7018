import { readFileSync } from 'node:fs'
import { readRecords } from './process-record.ts'
import { filesOf, type SandboxOwner } from './sandbox-files.ts'

type LookFromOutside = { folder: string; owner: SandboxOwner }

/**
 * What is wrong with a sandbox, as this machine sees it: the map of users inside is relative to a namespace between, so only this side
 * knows who it really is. Null where no process of it is recorded.
 */
export function lookFromOutside({ folder, owner }: LookFromOutside, id: string): string[] | null {
  const pid = readRecords(filesOf(folder, id).records).at(-1)?.pid
  if (pid === undefined) return null
  const uids = /^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split(/\s+/) ?? []
  const expected = String(owner?.uid ?? process.getuid?.())
  if (uids.length > 0 && uids.every((uid) => uid === expected)) return []
  return [`A sandbox runs as user ${uids.join(', ')} and not as ${expected}.`]
}
