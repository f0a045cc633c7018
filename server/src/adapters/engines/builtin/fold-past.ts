import { addHooks, hookKey, type HookResult } from './add-hooks.ts'
import type { McpListing, Past, PastStep, Turn } from '#adapters/engines/engine.ts'
import { isChange } from './changed-by.ts'
import { applyCompaction } from './apply-compaction.ts'
import {
  beginTurn,
  startConversation,
  takeAnswer,
  takeApproval,
  takeCompaction,
  takeReply,
  takeResult,
  tellUnsent,
  type CallResult,
  type Compaction,
  type Conversation,
  type ModelAnswer,
  type ModelRequest,
} from './conversation.ts'

/** The conversation as it stands: of earlier turns, and of this one as far as a lost worker had come. */
export function foldPast(turn: Pick<Turn, 'past' | 'number' | 'prompt'>): Conversation {
  const conversation = startConversation()
  for (const [index, event] of turn.past.entries()) {
    if (event.turn !== conversation.turn) beginTurn(conversation, event.turn)
    if (event.type === 'message') conversation.unsent.push({ text: event.text, images: event.images })
    if (event.type === 'restored') takeRestored(conversation, event)
    if (event.type !== 'step') continue
    const { hooks, isLast } = readHooks(turn, index)
    // The hooks of a change may still have to run; then it is taken with what they did.
    const isOpen =
      isLast && event.turn === turn.number && event.step.response !== undefined && isChange(event.step.request['name'])
    if (!isOpen) takeStep(conversation, event.step, hooks)
  }
  if (conversation.turn !== turn.number) beginTurn(conversation, turn.number)
  const isNew = conversation.modelSteps === 0 && conversation.begun === null
  const isSaid = conversation.unsent.some(({ text }) => text === turn.prompt)
  if (isNew && !isSaid) conversation.unsent.push({ text: turn.prompt, images: [] })
  return conversation
}

/** Work that was finished is not, where files of it are lost. */
function takeRestored(conversation: Conversation, { text, lost }: Extract<Past, { type: 'restored' }>): void {
  conversation.unsent.push({ text, images: [] })
  if (!lost.length) return
  conversation.finished = conversation.spoke = null
  conversation.hasUntoldLoss = true
  // What was read of the files is older, or newer, than what is there.
  conversation.seen.clear()
}

/** What hooks did after a step, and whether nothing but them came after it. */
function readHooks({ past }: Pick<Turn, 'past'>, index: number): { hooks: HookResult[]; isLast: boolean } {
  const hooks: HookResult[] = []
  const step = past[index]
  for (let next = index + 1; next < past.length; next++) {
    const event = past[next]!
    if (event.type === 'message') continue
    const isHook = event.type === 'step' && step?.type === 'step' && event.step.key.startsWith(hookKey(step.step.key))
    if (!isHook) return { hooks, isLast: false }
    if (event.step.response !== undefined) hooks.push(event.step.response as HookResult)
  }
  return { hooks, isLast: true }
}

function takeStep(conversation: Conversation, step: PastStep, hooks: HookResult[]): void {
  const { key, request, response } = step
  if (step.kind === 'ask') return takeAsked(conversation, step)
  if (step.kind === 'model') takeBasis(conversation, request as ModelRequest)
  const kind = /^t\d+\/(model|tool|compaction)\//.exec(key)?.[1]
  if (kind === 'model' && response === undefined) {
    conversation.begun = request as ModelRequest
    tellUnsent(conversation)
  }
  if (response === undefined) return
  if (key === `t${step.turn}/mcp`) conversation.mcp = response as McpListing & typeof response
  if (kind === 'model') takeAnswer(conversation, request as ModelRequest, response as ModelAnswer & typeof response)
  if (kind === 'tool') {
    const call = conversation.pending.find((pending) => pending.key === key)
    const result = response as CallResult & typeof response
    if (call) takeResult(conversation, call, addHooks(conversation, { call, result, hooks }))
  }
  if (kind === 'compaction') {
    const compaction = response as Compaction & typeof response
    takeCompaction(conversation, compaction, applyCompaction(conversation.messages, compaction))
  }
}

/** Stands in the first question of a turn. */
function takeBasis(conversation: Conversation, { basis }: ModelRequest): void {
  if (basis) conversation.hasTests = basis.hasTests === true
}

function takeAsked(conversation: Conversation, { key, response }: PastStep): void {
  if (response === undefined) return
  const { answer } = response as { answer: string }
  const call = conversation.pending.find((pending) => pending.key === key)
  if (call) takeReply(conversation, call, answer)
  else takeApproval(conversation, answer)
}
