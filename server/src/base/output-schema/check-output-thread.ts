// Runs in a thread of `find-output-faults.ts`, which ends it when it takes too long.
import { parentPort, workerData } from 'node:worker_threads'
import type { Json, JsonObject } from '#base/json.ts'
import { compileOutputSchema } from './compile-output-schema.ts'

const { value, schema } = workerData as { value: Json; schema: JsonObject }
parentPort?.postMessage('ready')
parentPort?.postMessage(compileOutputSchema(schema)(value))
