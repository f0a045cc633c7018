import type { ModelServerRequest, ScriptedReply } from '../../server/test/model-server.ts'
import { scenarios } from './scenarios.ts'

const scripts = Object.values(scenarios).flatMap(({ prompt, replies, children = {} }): [string, ScriptedReply[]][] => [
  [prompt, replies],
  ...Object.entries(children),
])
const asked = new Map<string, number>()

/** What the model answers next to the run whose prompt this is. A hand-over names the prompt too, and comes from the same list. */
export function answerScenario({ text }: ModelServerRequest): ScriptedReply {
  // Words of children stand in what their parent says as well, so whole prompts come first.
  const [prompt, replies] = scripts.find(([word]) => text.includes(word)) ?? []
  if (prompt === undefined) throw new Error(`No scenario has these words: ${text.slice(0, 2_000)}`)
  const count = asked.get(prompt) ?? 0
  asked.set(prompt, count + 1)
  const reply = replies?.[count]
  if (!reply) throw new Error(`The scenario “${prompt}” has no reply ${count + 1}.`)
  return reply
}
