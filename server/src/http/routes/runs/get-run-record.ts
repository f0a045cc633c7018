import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { getRun } from '#domain/runs/get-run.ts'
import { readRecord } from '#domain/runs/records/read-record.ts'
import type { JsonObject } from '#base/json.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const getRunRecordRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/record`,
  operationId: 'getRunRecord',
  tag: 'Runs',
  summary: 'Download the record of a run',
  description:
    'Everything that the run did, as JSON lines in gzip: what people said, each step with what was asked and answered, and the log, ' +
    'without secrets. The last line has the number of lines before it and their SHA-256. `npm run replay` replays it.',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'The record.', mediaType: 'application/octet-stream' },
  errors: ['run_not_found'],
  handle: async ({ app, db, params, reply }) => {
    const run = { organizationId: params.org_id, runId: params.agent_run_id }
    await getRun(db, run)
    const { mask } = await app.redactors.read(run)
    reply.header('content-disposition', `attachment; filename="run-${run.runId}.jsonl.gz"`)
    const lines = Readable.from(sealed(readRecord(db, { ...run, mask, now: app.clock.now(), blobs: app.blobs })))
    const gzip = createGzip()
    // Whoever reads has to see that it is cut off, so no end is written where something fails.
    lines.on('error', (error) => gzip.destroy(error))
    gzip.on('close', () => lines.destroy())
    return lines.pipe(gzip)
  },
})

/** The items as lines, and a last one by which a reader sees that all of them are there as they were written. */
async function* sealed(items: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const item of items) {
    const line = `${JSON.stringify(item)}\n`
    hash.update(line)
    lines++
    yield line
  }
  yield `${JSON.stringify({ type: 'end', lines, sha256: hash.digest('hex') })}\n`
}
