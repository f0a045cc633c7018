import { endRecorded, removeRecords } from './process-record.ts'
import { readAllRecords } from './sandbox-files.ts'

/** Kills what is on record in a sandbox's folder. False when not all of it ends. */
export async function endAllRecorded(folder: string): Promise<boolean> {
  const recorded = await readAllRecords(folder)
  const ended = await Promise.all(recorded.flatMap(({ records }) => records.map(endRecorded)))
  if (ended.includes(false)) return false
  for (const { file, records } of recorded) removeRecords(file, records)
  return true
}
