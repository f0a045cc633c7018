import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '#base/json.ts'
import { startModelServer, type ModelServer } from '#test/model-server.ts'
import type { Journal } from './journal.ts'
import { followUpOf, taskNameOf, writtenFilesOf, type Task } from './workload.ts'

type ChatMessage = { role: string; content?: unknown; tool_calls?: unknown }

/** A model takes its time, so that a worker can be lost meanwhile. */
const thinkMs = 300

/** A model that writes the files of its task one by one, once more where it is told that one is lost. Notes every call. */
export function startAgentModel(tasks: Map<string, Task>, journal: Journal): Promise<ModelServer> {
  return startModelServer(async ({ body, text }) => {
    const task = tasks.get(taskNameOf(text) ?? '')
    if (!task) return { status: 400, message: 'This is the task of nobody.' }
    const messages = body['messages'] as ChatMessage[]
    const asked = messages.findLastIndex((message) => isBy('user', message) && says(message, followUpOf(task)))
    const turn = asked === -1 ? 1 : 2
    const call = messages.slice(asked + 1).filter((message) => isBy('assistant', message)).length
    journal.write({ kind: 'model', task: task.name, turn, call })
    await sleep(thinkMs)
    const file = writtenFilesOf(task, turn).find(({ path }) => isToBeWritten(messages, path))
    const summary = `${task.name} has written its files of turn ${turn}.`
    // Refused once, since nothing has run after the last file; then the explanation counts.
    const input: JsonObject = file ?? { summary, open: ['Nothing tests them.'] }
    return { calls: [{ name: file ? 'write' : 'finish', input, id: `call_${turn}_${call}` }] }
  })
}

const isBy = (role: string, message: ChatMessage) => message.role === role
const says = (message: ChatMessage, text: string) => JSON.stringify(message).includes(text)

/** Not written yet, or named by a later message, which is the one that says what was lost. */
function isToBeWritten(messages: ChatMessage[], path: string): boolean {
  const written = messages.findLastIndex((message) => isBy('assistant', message) && says(message, path))
  const named = messages.findLastIndex((message) => isBy('user', message) && says(message, path))
  return written <= named
}
