import type { Past, PastStep, Turn } from '#adapters/engines/engine.ts'
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
  for (const event of turn.past) {
    if (event.turn !== conversation.turn) beginTurn(conversation, event.turn)
    if (event.type === 'message') conversation.unsent.push({ text: event.text, images: event.images })
    if (event.type === 'restored') takeRestored(conversation, event)
    if (event.type === 'step') takeStep(conversation, event.step)
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

function takeStep(conversation: Conversation, step: PastStep): void {
  const { key, request, response } = step
  if (step.kind === 'ask') return takeAsked(conversation, step)
  const kind = /^t\d+\/(model|tool|compaction)\//.exec(key)?.[1]
  if (kind === 'model' && response === undefined) {
    conversation.begun = request as ModelRequest
    tellUnsent(conversation)
  }
  if (response === undefined) return
  if (kind === 'model') takeAnswer(conversation, request as ModelRequest, response as ModelAnswer & typeof response)
  if (kind === 'tool') {
    const call = conversation.pending.find((pending) => pending.key === key)
    if (call) takeResult(conversation, call, response as CallResult & typeof response)
  }
  if (kind === 'compaction') {
    const compaction = response as Compaction & typeof response
    takeCompaction(conversation, compaction, applyCompaction(conversation.messages, compaction))
  }
}

function takeAsked(conversation: Conversation, { key, response }: PastStep): void {
  if (response === undefined) return
  const { answer } = response as { answer: string }
  const call = conversation.pending.find((pending) => pending.key === key)
  if (call) takeReply(conversation, call, answer)
  else takeApproval(conversation, answer)
}
