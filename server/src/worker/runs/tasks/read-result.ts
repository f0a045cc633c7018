import type { Answer } from '#adapters/engines/engine.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { findOutputFaults } from '#base/output-schema/find-output-faults.ts'
import { lastFencedBlock } from '#base/text/last-fenced-block.ts'

/**
 * The answer as data: what the engine gave as such, else the whole text, or its last fenced block of JSON. Undefined where that
 * is none, or does not fit.
 */
export async function readResult(
  { answer, output }: Pick<Answer, 'answer' | 'output'>,
  schema: JsonObject,
): Promise<{ value: Json } | undefined> {
  // An engine that gives data has checked it.
  if (output !== undefined) return { value: output }
  const found = parse(answer) ?? parse(lastFencedBlock(answer, ['```json']))
  return found && !(await findOutputFaults(found.value, schema)).length ? found : undefined
}

function parse(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}
