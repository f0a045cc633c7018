// Runs in processes of `foreign-json.ts`, which ends one that takes too long or too much.
import { serveTasks } from '#base/off-process/serve-tasks.ts'
import type { Wire } from '#base/models/read-event.ts'
import { prepareCall, type RawCall } from './prepare-call.ts'
import { readAnswer } from './read-answer.ts'
import { CallRefused } from './refuse-call.ts'

export type ForeignTask = { kind: 'call'; call: RawCall } | { kind: 'answer'; wire: Wire; bytes: Uint8Array }

serveTasks((task) => {
  try {
    return { done: act(task as ForeignTask) }
  } catch (error) {
    if (error instanceof CallRefused) return { refusal: error.refusal }
    throw error
  }
})

function act(task: ForeignTask): unknown {
  return task.kind === 'call' ? prepareCall(task.call) : readAnswer(task.wire, task.bytes)
}
