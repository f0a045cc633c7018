import { EngineError, type Answer, type CommentReply, type Evidence } from '#adapters/engines/engine.ts'
import type { Json } from '#base/json.ts'
import { shorten, shortenWithin } from '#base/text/shorten.ts'
import type { Conversation, Said } from './conversation.ts'
import { findStuck } from './find-stuck.ts'

const ANSWERS_WITHOUT_VALID_CALL_MAX = 3
const ANSWERS_CUT_OFF_MAX = 2
const TEXTS_IN_ROW_MAX = 3
const OUTPUTS_REFUSED_MAX = 3
const SUMMARY_CHARACTERS_MAX = 500
const COMMAND_CHARACTERS_MAX = 120

/** The turn's answer, once the model has called `finish`. Text alone never ends a task: an announcement looks like an answer. */
export function findAnswer({ finished }: Conversation): Answer | null {
  return finished && answerOf(finished.output, finished.thought)
}

/**
 * What we have to tell the model ourselves; null when there is nothing. `hasOutput`: `finish` is to be given data besides.
 * Throws when it is stuck for good.
 */
export function findNotice(conversation: Conversation, hasOutput: boolean): Said | null {
  const { answersWithoutValidCall, answersCutOff, lastEnd, spoke, lastText, outputsRefused } = conversation
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
  if (outputsRefused >= OUTPUTS_REFUSED_MAX)
    throw new EngineError('output_invalid', `The result did not fit its schema, ${outputsRefused} times.`)
  if (spoke) return goOn(conversation, spoke.text, hasOutput)
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

/** What is told to a model that only speaks: what is still open. */
function goOn({ textsInRow, editState, openSteps }: Conversation, text: string, hasOutput: boolean): Said {
  if (textsInRow > TEXTS_IN_ROW_MAX) {
    const last = shortenWithin(text.trim(), SUMMARY_CHARACTERS_MAX)
    throw new EngineError('no_end', `The model stopped without calling finish, ${textsInRow} times in a row: ${last}`)
  }
  const open = [
    ...(editState === 'unchecked' ? ['No command was run after the last edit: run the tests that cover it.'] : []),
    ...(editState === 'failing' ? ['No command has passed since the last edit.'] : []),
    ...openSteps.map((step) => `A step of your plan is not done: ${step}`),
    ...(hasOutput ? ['The result is not given yet: it is the argument output of finish.'] : []),
  ]
  const points = open.length > 0 ? ` Still open:\n${open.map((point) => `- ${point}`).join('\n')}\n` : ' '
  const notice = `No tool was called, and only finish ends the task.${points}Go on with the task, or call finish if it is done.`
  return { reason: 'go_on', text: notice }
}

export type FinishOutput = {
  title?: string
  summary?: string
  checks?: Evidence[]
  replies?: (Omit<CommentReply, 'comment'> & { comment: string | number })[]
  open?: string[]
  output?: Json
  failed_hooks?: string[]
}

/** How a turn ends with what `finish` has taken. */
export function answerOf(output: FinishOutput, thought: string | null): Answer {
  const summary = output.summary ?? ''
  const checks = (output.checks ?? []).map(describeEvidence)
  const open = (output.open ?? []).map((point) => `- ${point}`)
  const hooks = (output.failed_hooks ?? []).map((command) => `- ${shownCommand(command)}`)
  const parts = [
    summary,
    ...(checks.length > 0 ? [`Checks:\n${checks.join('\n')}`] : []),
    ...(hooks.length > 0 ? [`Hooks of the repository that failed:\n${hooks.join('\n')}`] : []),
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
    ...(output.checks?.length && { checks: output.checks }),
    ...(output.output !== undefined && { output: output.output }),
  }
}

function describeEvidence({ command, step, exitCode, seconds }: Evidence): string {
  const shown = `- ${shownCommand(command)}`
  if (step === null) return `${shown}: not run here`
  const ended = exitCode === 0 ? 'passed' : exitCode === null ? 'did not end' : `failed with exit code ${exitCode}`
  return `${shown}: ${ended}, ${seconds} s [${step}]`
}

const shownCommand = (command: string) => codeSpan(shorten(command.trim().split('\n')[0] ?? '', COMMAND_CHARACTERS_MAX))

/** A command may hold backquotes itself. */
const codeSpan = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

function shortenSummary(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/)
  return shortenWithin(paragraph, SUMMARY_CHARACTERS_MAX)
}
