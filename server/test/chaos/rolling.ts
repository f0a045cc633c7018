// A rolling restart of two API and two worker processes under live runs: node bin/node24.mjs server/test/chaos/rolling.ts
// --runs 100 --rounds 1
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '#db/embedded.ts'
import { roll } from './roll.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '1' },
    'run-seconds': { type: 'string', default: '60' },
  },
})
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-rolling-'))
chmodSync(folder, 0o711)
await using stack = new AsyncDisposableStack()
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const postgres = await startEmbedded(path.join(folder, 'postgres'))
stack.defer(() => postgres.stop())
console.log(`${values.runs} runs, every process started anew ${values.rounds} times, ${new Date().toISOString()}`)
const rolled = await roll({
  databaseUrl: postgres.url,
  dataDir: path.join(folder, 'data'),
  runs: Number(values.runs),
  rounds: Number(values.rounds),
  runSeconds: Number(values['run-seconds']),
})
console.log(JSON.stringify({ ...rolled, broken: rolled.broken.slice(0, 20) }, null, 2))
const isClean =
  rolled.broken.length === 0 &&
  Object.keys(rolled.statuses).every((status) => Number(status) < 500) &&
  rolled.ended['completed'] === Number(values.runs)
if (!isClean) process.exitCode = 1
