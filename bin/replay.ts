// Replays the record of a run with the built-in engine as it is here, offline, and says where it asks for something else.
import { readFile, stat } from 'node:fs/promises'
import { readRecord, RecordRefused } from '../server/src/adapters/engines/builtin/replay/read-record.ts'
import { replayRecord } from '../server/src/adapters/engines/builtin/replay/replay-record.ts'

const BYTES_MAX = 256 * 2 ** 20
const file = process.argv[2]

try {
  if (file === undefined) throw new RecordRefused('Usage: npm run replay -- run-7.jsonl.gz')
  if ((await stat(file)).size > BYTES_MAX) throw new RecordRefused(`${file} has more than ${BYTES_MAX} bytes.`)
  const { turns, steps, difference } = await replayRecord(await readRecord(await readFile(file)))
  console.log(`${turns} turns, ${steps} steps are as they were${difference === null ? '.' : ', then:'}`)
  if (difference !== null) {
    console.log(difference)
    process.exitCode = 1
  }
} catch (error) {
  const isKnown = error instanceof RecordRefused || (error as { code?: string }).code === 'ENOENT'
  console.error(isKnown ? (error as Error).message : error)
  process.exitCode = 2
}
