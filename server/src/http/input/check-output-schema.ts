import { AppError } from '#base/errors.ts'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { OffProcess } from '#base/off-process/off-process.ts'
import { OffProcessLimit } from '#base/off-process/off-process-limit.ts'
import type { SchemaFault } from './check-schema-tasks.ts'

/** Compiling what fits into 64 KiB takes up to seconds, and whoever compiles answers nobody meanwhile. */
const compilers = new OffProcess<JsonObject, SchemaFault>({
  script: new URL('./check-schema-tasks.ts', import.meta.url),
  processesMax: 1,
  memoryBytesMax: limits.outputSchemaMemoryBytesMax,
  timeMs: limits.outputCheckMs,
  waitingPerKeyMax: limits.outputSchemasWaitingMax,
})

/**
 * Throws `invalid_request` for what is no JSON Schema, or too large or costly a one, and `unavailable` where the
 * organization has sent too many at once.
 */
export async function checkOutputSchema(schema: JsonObject, { organizationId }: { organizationId: number }) {
  if (Buffer.byteLength(JSON.stringify(schema)) > limits.outputSchemaBytesMax)
    throw refuse(`is larger than ${limits.outputSchemaBytesMax / 1024} KiB`, 'size')
  const fault = await compilers.run(schema, { key: String(organizationId) }).catch((error: unknown) => {
    if (!(error instanceof OffProcessLimit)) throw error
    if (error.limit === 'queue') throw new AppError('unavailable', { cause: error })
    throw refuse('takes too much time or memory to compile. Simplify it', 'schema')
  })
  if (fault !== undefined) throw refuse(`is no JSON Schema that can be used: ${fault}`, 'schema')
}

function refuse(msg: string, type: string): AppError {
  const detail = [{ loc: ['body', 'output_schema'], msg, type }]
  return new AppError('invalid_request', { message: `body.output_schema ${msg}.`, detail })
}
