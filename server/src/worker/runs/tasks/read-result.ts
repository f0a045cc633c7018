import { Worker } from 'node:worker_threads'
import type { Json, JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { lastFencedBlock } from '#base/text/last-fenced-block.ts'

/** On a busy machine a thread takes its time to begin; that is not the schema's fault. */
const startMs = 30_000

/** The answer as data: the whole text, or its last fenced block of JSON. Undefined where that is none, or does not fit. */
export async function readResult(answer: string, schema: JsonObject): Promise<{ value: Json } | undefined> {
  const found = parse(answer) ?? parse(lastFencedBlock(answer, ['```json']))
  return found && (await fits(found.value, schema)) ? found : undefined
}

function parse(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}

/** In a thread of its own: a pattern of the schema may take for ever, and the worker has other runs to see to. */
async function fits(value: Json, schema: JsonObject): Promise<boolean> {
  const thread = new Worker(new URL('./check-result.ts', import.meta.url), {
    workerData: { value, schema },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let timer = setTimeout(() => resolve(false), startMs)
  thread.on('message', (output: 'ready' | boolean) => {
    if (output !== 'ready') return resolve(output)
    clearTimeout(timer)
    timer = setTimeout(() => resolve(false), limits.outputCheckMs)
  })
  thread.once('error', () => resolve(false))
  thread.once('exit', () => resolve(false))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
