import { styleText } from 'node:util'
import type { AgentRun, AgentRunLog } from '@runwright/sdk'

type Style = Parameters<typeof styleText>[0]
type Status = AgentRun['status']

const styles: Record<Status, Style> = {
  queued: 'gray',
  in_progress: 'blue',
  waiting_for_user: 'yellow',
  paused: 'magenta',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
}

export function printLine(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** One value as one line, for programs. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value))
}

export function statusWord(status: Status): string {
  return styleText(styles[status], status, { stream: process.stdout })
}

export function quiet(text: string): string {
  return styleText('gray', text, { stream: process.stdout })
}

/** A log entry as a person reads it. */
export function entryLines(entry: AgentRunLog): string {
  const lines: string[] = []
  if (entry.thought) lines.push(visible(entry.thought))
  if (entry.tool_name) lines.push(toolLine(entry))
  const observed = entry.tool_output ? '' : observationText(entry.observation)
  if (observed)
    lines.push(entry.message_type === 'ERROR' ? styleText('red', observed, { stream: process.stdout }) : observed)
  const head = quiet(`${String(entry.seq).padStart(4)}  ${entry.message_type}`)
  return [head, ...lines.flatMap((text) => text.split('\n')).map((line) => `      ${line}`)].join('\n')
}

function toolLine({ tool_name: name, tool_input: input, tool_output: output }: AgentRunLog): string {
  const gist = Object.values(input ?? {}).find((value) => typeof value === 'string') ?? ''
  const exit = output?.exit_code
  const end = typeof exit === 'number' && exit !== 0 ? `  exit ${exit}` : ''
  return `${name}  ${visible(gist).split('\n', 1)[0]?.slice(0, 160)}${end}`
}

function observationText(observation: AgentRunLog['observation']): string {
  if (observation === null) return ''
  if (typeof observation === 'string') return visible(observation)
  const { number, title, url, message } = observation
  if (typeof url === 'string' && typeof title === 'string') return visible(`#${String(number)} ${title}: ${url}`)
  return visible(typeof message === 'string' ? message : JSON.stringify(observation, null, 2))
}

/** What others wrote must not steer the terminal: control characters and marks of direction are shown, not obeyed. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === '\n' || character === '\t') return character
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
