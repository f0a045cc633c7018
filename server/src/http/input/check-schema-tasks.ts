// Runs in processes of `check-output-schema.ts`, which ends one that takes too long or too much.
import { serveTasks } from '#base/off-process/serve-tasks.ts'
import type { JsonObject } from '#base/json.ts'
import { compileOutputSchema } from '#base/output-schema/compile-output-schema.ts'

/** What is wrong with the schema, or nothing. */
export type SchemaFault = string | undefined

serveTasks((schema): SchemaFault => {
  try {
    compileOutputSchema(schema as JsonObject)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
})
