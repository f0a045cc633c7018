import { EngineError, type Answer, type CommentReply, type Turn } from '#adapters/engines/engine.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import type { Conversation, Said } from './conversation.ts'
import { findStuck } from './find-stuck.ts'

const ANSWERS_WITHOUT_VALID_CALL_MAX = 3
const ANSWERS_CUT_OFF_MAX = 2
const SUMMARY_CHARACTERS_MAX = 500

/** The turn's answer, once the model has finished it, or has said in plain text what can be taken for the end. */
export function findAnswer(conversation: Conversation, { prompt }: Pick<Turn, 'prompt'>): Answer | null {
  const { finished, spoke, hasEdits, goOns } = conversation
  if (finished) return answerOf(finished.output, finished.thought)
  if (!spoke || !(hasEdits || goOns > 0 || isQuestion(prompt))) return null
  const thought = spoke.thought === spoke.text ? null : spoke.thought
  return { answer: spoke.text, thought, summary: shortenSummary(spoke.text) }
}

/** What we have to tell the model ourselves; null when there is nothing. Throws when it is stuck for good. */
export function findNotice(conversation: Conversation): Said | null {
  const { answersWithoutValidCall, answersCutOff, lastEnd, spoke, lastText } = conversation
  if (answersCutOff > ANSWERS_CUT_OFF_MAX) {
    throw new EngineError(
      'model_error',
      `The model’s answers end at its output limit, ${answersCutOff} times in a row.`,
    )
  }
  if (answersWithoutValidCall >= ANSWERS_WITHOUT_VALID_CALL_MAX) {
    const times = `${answersWithoutValidCall} answers in a row`
    throw new EngineError('stuck', `The model gave ${times} with nothing in them that could be done.`)
  }
  if (lastEnd === 'cut_off') {
    const text = 'Your answer was cut off at the output limit. Go on in smaller pieces; write a long file in parts.'
    return { reason: 'cut_off', text }
  }
  if (spoke)
    return { reason: 'go_on', text: 'No tool was called. Continue with the task, or call finish if it is done.' }
  if (answersWithoutValidCall > 0 && lastText.trim() === '' && !conversation.hasMalformedCalls) {
    return {
      reason: 'empty',
      text: 'Your answer had no valid call. Call one of the tools, or finish if the task is done.',
    }
  }
  const circle = findStuck(conversation.deeds)
  if (!circle) return null
  if (conversation.warnings > 0) throw new EngineError('stuck', `The agent is going round in circles: ${circle}.`)
  const text = `You seem to be stuck: ${circle}. Stop, think about what you have learned, and try something else.`
  return { reason: 'stuck', text }
}

type FinishOutput = {
  title?: string
  summary?: string
  checks?: { command: string; passed: boolean }[]
  replies?: (Omit<CommentReply, 'comment'> & { comment: string | number })[]
  open?: string[]
}

function answerOf(output: FinishOutput, thought: string | null): Answer {
  const summary = output.summary ?? ''
  const checks = (output.checks ?? []).map(({ command, passed }) => `- \`${command}\`: ${passed ? 'passed' : 'failed'}`)
  const open = (output.open ?? []).map((point) => `- ${point}`)
  const parts = [
    summary,
    ...(checks.length > 0 ? [`Checks:\n${checks.join('\n')}`] : []),
    ...(open.length > 0 ? [`Open:\n${open.join('\n')}`] : []),
  ]
  const title = output.title?.trim()
  const replies = (output.replies ?? []).map((reply) => ({ ...reply, comment: String(reply.comment) }))
  return {
    answer: parts.join('\n\n'),
    thought,
    summary: shortenSummary(summary),
    ...(title && { title }),
    ...(replies.length > 0 && { replies }),
  }
}

function shortenSummary(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/)
  return shortenWithin(paragraph, SUMMARY_CHARACTERS_MAX)
}

/** A task is rarely put as a question, and a question needs no edits to be answered. */
function isQuestion(prompt: string): boolean {
  return (
    /\?\s*$/.test(prompt) ||
    /^\s*(what|why|how|where|when|who|which|is|are|does|do|can|explain|describe)\b/i.test(prompt)
  )
}
