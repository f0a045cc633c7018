import type { AgentRunLog } from '@runwright/sdk'
import type { Family } from '#base/search.ts'
import { textOf } from './text-of.ts'

/** Which family an entry is of: the mark on the spine, and its colour. */
export type Kind = 'plan' | 'tool' | 'answer' | 'error' | 'user' | 'pr' | 'link'

/** What the page needs to know of an entry at a glance; worked out once. */
export type EntryFacts = {
  kind: Kind
  families: Set<Family>
  /** It has gone wrong, or its command exited with another code than 0. */
  isFailure: boolean
  /** The one thing a tool was called with: its command, path or pattern. */
  argument: string
  /** What came of it, in a few words. */
  gist: string
  exitCode: number | null
  diff: string | null
  /** For the view of one line each. */
  title: string
}

const known = new WeakMap<AgentRunLog, EntryFacts>()

export function factsOf(entry: AgentRunLog): EntryFacts {
  let facts = known.get(entry)
  if (!facts) known.set(entry, (facts = readFacts(entry)))
  return facts
}

/** Whether it has these words, which are in lower case. */
export function hasWords(entry: AgentRunLog, words: string): boolean {
  const { thought, tool_name, tool_input, tool_output, observation } = entry
  const has = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(words)
    if (typeof value === 'object' && value !== null) return Object.values(value).some(has)
    return typeof value === 'number' && String(value).includes(words)
  }
  return [thought, tool_name, tool_input, tool_output, observation].some(has)
}

function readFacts(entry: AgentRunLog): EntryFacts {
  const { tool_name: tool, tool_input: input, tool_output: output, observation } = entry
  const kind = kindOf(entry)
  const exit = output?.['exit_code']
  const exitCode = typeof exit === 'number' ? exit : null
  const diff = typeof output?.['diff'] === 'string' && output['diff'] ? output['diff'] : null
  const isFault = (kind === 'error' && !isNothingToDo(observation)) || isBadVerdict(observation)
  const isFailure = isFault || (exitCode !== null && exitCode !== 0) || output?.['timed_out'] === true
  const isEdit = tool !== null && /^(?:edit|write|apply)/.test(tool)
  const families = new Set<Family>()
  if (entry.thought) families.add('thought')
  if (kind === 'tool') families.add('tool')
  if (isEdit) families.add('edit')
  if (isFault) families.add('error')
  // A command that exits with another code is an answer to the agent's question; the run has not gone wrong by it.
  else if (isFailure) families.add('exit')
  if (kind === 'user') families.add('user')
  if (kind === 'pr') families.add('pr')
  const argument = argumentOf(input)
  return {
    kind,
    families,
    isFailure,
    argument,
    gist: gistOf(output),
    exitCode,
    diff,
    title: tool ? `${tool} ${argument}` : titleOf(entry),
  }
}

function kindOf({ message_type: type }: AgentRunLog): Kind {
  if (type === 'ACTION') return 'tool'
  if (type === 'FINAL_ANSWER') return 'answer'
  if (type === 'ERROR' || type === 'PR_CREATION_FAILED') return 'error'
  if (type === 'AGENT_RUN_LINK') return 'link'
  if (type.startsWith('USER_')) return 'user'
  return type.includes('PR') || type === 'COMMIT_EVALUATION' ? 'pr' : 'plan'
}

/** A thought is its own title. */
function titleOf({ message_type: type, thought, observation }: AgentRunLog): string {
  if (typeof observation === 'object' && observation !== null && 'conflicts_with' in observation)
    return `Conflicts with ${textOf(observation['conflicts_with'])}`
  const line = type === 'PLAN_EVALUATION' ? thought?.split('\n', 1)[0] : undefined
  return line?.slice(0, 200) ?? titles[type] ?? type
}

const titles: Record<string, string> = {
  PLAN_EVALUATION: 'Plan',
  FINAL_ANSWER: 'Answer',
  ERROR: 'Error',
  USER_MESSAGE: 'Message',
  INITIAL_PR_GENERATION: 'Pull request opened',
  PR_CREATION_FAILED: 'No pull request',
  DETECT_PR_ERRORS: 'Checks failed',
  FIX_PR_ERRORS: 'Pull request fixed',
  PR_EVALUATION: 'Review',
  COMMIT_EVALUATION: 'Commit review',
  AGENT_RUN_LINK: 'Another run',
}

/** A turn that changed nothing has no pull request to open, and nothing has gone wrong. */
export function isNothingToDo(observation: AgentRunLog['observation']): boolean {
  return typeof observation === 'object' && observation?.['code'] === 'no_diff'
}

function isBadVerdict(observation: AgentRunLog['observation']): boolean {
  const verdict = typeof observation === 'object' && observation !== null ? observation['verdict'] : undefined
  return verdict === 'failed' || verdict === 'rejected'
}

const telling = ['command', 'path', 'pattern', 'query', 'url', 'question', 'name']

/** The one thing a tool is called with, in one line. */
export function argumentOf(input: AgentRunLog['tool_input']): string {
  if (!input) return ''
  const named = telling.map((name) => input[name]).find((value) => typeof value === 'string')
  const first = named ?? Object.values(input).find((value) => typeof value === 'string')
  return typeof first === 'string' ? first.split('\n', 1)[0]!.slice(0, 300) : ''
}

function gistOf(output: AgentRunLog['tool_output']): string {
  if (!output) return ''
  if (output['repeated'] === true) return 'repeated after a restart'
  if (output['timed_out'] === true) return 'timed out'
  const { total, matches, bytes, count } = output
  if (typeof total === 'number') return `${total.toLocaleString('en')} lines`
  if (typeof matches === 'number') return `${matches.toLocaleString('en')} matches`
  if (typeof count === 'number' && count > 1) return `${count} places`
  if (typeof bytes === 'number') return `${bytes.toLocaleString('en')} bytes`
  return ''
}
