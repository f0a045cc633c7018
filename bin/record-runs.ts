// Records the runs of bin/records/scenarios.ts anew, for server/test/records and for the example of the web UI: the
// built-in agent as it is here, in a service of its own, asks a scripted model server.
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createClient } from '@runwright/sdk'
import { startModelServer } from '../server/test/model-server.ts'
import { startService } from './demo/start-service.ts'
import { answerScenario } from './records/answer-scenario.ts'
import { recordScenario } from './records/record-scenario.ts'
import { scenarios } from './records/scenarios.ts'

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'server/test/records')
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-records-'))
chmodSync(dataDir, 0o711)
const model = await startModelServer(answerScenario)
Object.assign(process.env, {
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_API_KEY: 'key-of-the-model-server',
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'key-of-the-model-server',
  RUNWRIGHT_MODEL: 'openai/scripted-1',
  RUNWRIGHT_RATE_LIMITS: 'standard=0,creation=0,logs=0',
  // Links in what is recorded name no machine.
  RUNWRIGHT_PUBLIC_URL: 'https://runwright.example',
})
const port = await findPort()
const service = await startService({ root, dataDir, port })
try {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: service.adminToken })
  mkdirSync(folder, { recursive: true })
  for (const [name, scenario] of Object.entries(scenarios)) {
    const record = await recordScenario(client, scenario)
    refuseNames(gunzipSync(record).toString())
    writeFileSync(path.join(folder, `${name}.jsonl.gz`), record)
    process.stdout.write(`${name}: ${record.length} bytes\n`)
  }
  cpSync(path.join(folder, 'fix.jsonl.gz'), path.join(root, 'web/public/example.record'))
} finally {
  await service.stop()
  await model.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit()

/** A committed record names nothing of this machine. */
function refuseNames(text: string): void {
  const found = [dataDir, root, os.homedir(), os.hostname(), `:${port}`].find((name) => text.includes(name))
  if (found !== undefined) throw new Error(`The record names ${found}, which is of this machine.`)
}

/** Its own address cannot be asked of a service that is known by another one. */
async function findPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
