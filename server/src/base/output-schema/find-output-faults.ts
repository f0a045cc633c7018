import { Worker } from 'node:worker_threads'
import type { Json, JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'

/** On a busy machine a thread takes its time to begin; that is not the schema's fault. */
const startMs = 30_000
const unchecked = ['It cannot be checked: the schema takes too long or too much memory.']

/**
 * What of a value does not fit its schema, a sentence each, at most ten. In a thread of its own: a pattern of the schema may
 * take for ever, and the worker has other runs to see to.
 */
export async function findOutputFaults(value: Json, schema: JsonObject): Promise<string[]> {
  const thread = new Worker(new URL('./check-output-thread.ts', import.meta.url), {
    workerData: { value, schema },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const { promise, resolve } = Promise.withResolvers<string[]>()
  let timer = setTimeout(() => resolve(unchecked), startMs)
  thread.on('message', (output: 'ready' | string[]) => {
    if (output !== 'ready') return resolve(output)
    clearTimeout(timer)
    timer = setTimeout(() => resolve(unchecked), limits.outputCheckMs)
  })
  thread.once('error', () => resolve(unchecked))
  thread.once('exit', () => resolve(unchecked))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
