import type { Entry } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { boundJson, boundObject } from './bound-json.ts'
import { ownServer } from './own-tools/serve-tools.ts'
import { readContent, readDiffs } from './read-content.ts'

const TEXT_CHARACTERS_MAX = 1_000_000
const NAME_CHARACTERS_MAX = 100
const NOTICE_CHARACTERS_MAX = 10_000
/** Tool calls that an agent may have open at once. */
const OPEN_MAX = 500
/** Files that one of them may have changed. */
const EDITED_MAX = 200

/** What has happened in an agent, in the order in which it began. */
export type AgentEvent =
  /** It has begun to use a tool; `done` resolves with what came of it. */
  { kind: 'tool'; name: string; input: JsonObject; done: Promise<UsedTool> } | { kind: 'entry'; entry: Entry }

/** `edited`: the files that it has changed, as the agent names them. */
export type UsedTool = { entry: Entry; edited: string[] }

export type UpdateReader = {
  read(update: unknown): void
  /** How many of its tools are at work. */
  readonly openTools: number
  /** Ends what is open, and gives what was said last. */
  end(): { answer: string; thought: string | null }
}

type OpenTool = {
  fields: Record<string, unknown>
  meta: Record<string, unknown>
  firstTitle: string | undefined
  thought: string | null
  terminal: string
  exitCode: number | null
  edited: Set<string>
  settle: (used: UsedTool) => void
}

const newTool = { firstTitle: undefined, terminal: '', exitCode: null }

/**
 * Reads the `session/update`s of an agent, which are a stranger's: what is of no known form is left out. Thoughts and words
 * stand in the entry that follows them; `onText` is given each piece of them as it comes.
 */
export function readUpdates(
  onEvent: (event: AgentEvent) => void,
  onText: (kind: 'thought' | 'answer', piece: string) => void = () => {},
): UpdateReader {
  const open = new Map<string, OpenTool>()
  const done = new Set<string>()
  const texts = openTexts(onText)
  const finish = (id: string, tool: OpenTool) => {
    open.delete(id)
    done.add(id)
    tool.settle({ entry: entryOf(id, tool), edited: editedBy(tool) })
  }
  const take = (id: string, update: Record<string, unknown>) => {
    if (done.has(id)) return
    if (isOwnTool(update)) return void done.add(id)
    let tool = open.get(id)
    if (!tool) {
      if (open.size >= OPEN_MAX) return
      const { promise, resolve } = Promise.withResolvers<UsedTool>()
      tool = { ...newTool, fields: {}, meta: {}, edited: new Set(), thought: texts.take(), settle: resolve }
      open.set(id, tool)
      merge(tool, update)
      onEvent({ kind: 'tool', name: nameOf(id, tool), input: inputOf(tool), done: promise })
    } else merge(tool, update)
    if (tool.fields['status'] === 'completed' || tool.fields['status'] === 'failed') finish(id, tool)
  }
  return {
    read(update) {
      if (typeof update !== 'object' || update === null) return
      const fields = update as Record<string, unknown>
      switch (fields['sessionUpdate']) {
        case 'agent_thought_chunk':
          return texts.add('thought', readContent(fields['content']))
        case 'agent_message_chunk':
          return texts.add('answer', readContent(fields['content']))
        case 'plan':
          onEvent({ kind: 'entry', entry: planEntry(fields['entries'], texts.take()) })
          return
        case 'notice':
          // What an agent warns of is mostly its configuration, which is ours.
          if (fields['severity'] === 'error') onEvent({ kind: 'entry', entry: noticeEntry(fields) })
          return
        case 'tool_call':
        case 'tool_call_update': {
          const id = fields['toolCallId']
          if (typeof id === 'string') take(id.slice(0, 200), fields)
          return
        }
      }
    },
    get openTools() {
      return open.size
    },
    end() {
      for (const [id, tool] of open) {
        tool.fields['status'] = 'failed'
        finish(id, tool)
      }
      return { answer: texts.takeAnswer(), thought: texts.take() }
    },
  }
}

/** What an agent thinks and says, until an entry takes it. */
function openTexts(onText: (kind: 'thought' | 'answer', piece: string) => void) {
  const known = { thought: '', answer: '' }
  const takeOne = (kind: 'thought' | 'answer') => {
    const text = known[kind].trim()
    known[kind] = ''
    return text
  }
  return {
    add(kind: 'thought' | 'answer', piece: string): void {
      known[kind] = (known[kind] + piece).slice(0, TEXT_CHARACTERS_MAX)
      onText(kind, piece)
    },
    take: (): string | null => [takeOne('thought'), takeOne('answer')].filter(Boolean).join('\n') || null,
    takeAnswer: () => takeOne('answer'),
  }
}

/** A tool of ours is in the log by itself. Agents name it each in their way: `mcp__runwright__finish`, `runwright_finish`, `finish (runwright MCP Server)`. */
const ownTool = /^(?:mcp_{1,2})?runwright[_./: ]{1,4}\w{1,200}$|^\w{1,200} \(runwright MCP Server\)$/

function isOwnTool(update: Record<string, unknown>): boolean {
  const { name, title, rawInput, _meta } = update
  const { server } = (rawInput ?? {}) as { server?: unknown }
  const { claudeCode } = (_meta ?? {}) as { claudeCode?: unknown }
  return (
    server === ownServer ||
    [name, title, textOf(claudeCode, 'toolName')].some((one) => typeof one === 'string' && ownTool.test(one))
  )
}

function merge(tool: OpenTool, update: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(update)) {
    if (value !== null && value !== undefined && key !== '_meta' && key !== 'sessionUpdate') tool.fields[key] = value
  }
  // Some agents show the change only when it begins, and some only when it is made.
  for (const { path } of readDiffs(update['content'])) if (tool.edited.size < EDITED_MAX) tool.edited.add(path)
  if (typeof update['title'] === 'string') tool.firstTitle ??= update['title']
  const meta = update['_meta']
  if (typeof meta !== 'object' || meta === null) return
  Object.assign(tool.meta, meta)
  // Some agents stream what a command prints beside the content.
  const { terminal_output_delta: delta, terminal_output: whole, terminal_exit: exit } = meta as Record<string, never>
  const more = textOf(delta, 'data') ?? textOf(whole, 'data') ?? ''
  tool.terminal = (tool.terminal + more).slice(0, TEXT_CHARACTERS_MAX)
  const code = (exit as { exit_code?: unknown } | undefined)?.exit_code
  if (typeof code === 'number') tool.exitCode = code
}

/** Where no change is shown, the places that a tool for edits names, or the files that its result does, as OpenCode's patches. */
function editedBy({ fields, edited }: OpenTool): string[] {
  if (fields['status'] !== 'completed') return []
  if (edited.size > 0) return [...edited]
  const { metadata } = (fields['rawOutput'] ?? {}) as { metadata?: { files?: unknown } | null }
  const places = [fields['kind'] === 'edit' ? fields['locations'] : [], metadata?.files].flat().slice(0, EDITED_MAX)
  return places.flatMap((place: unknown) => textOf(place, 'path') ?? textOf(place, 'filePath') ?? [])
}

const textOf = (holder: unknown, key: string): string | undefined => {
  const value = (holder as Record<string, unknown> | null | undefined)?.[key]
  return typeof value === 'string' ? value : undefined
}

/** Tools that keep a list of what is to do, where an agent has no plan of its own. */
const planTools = /^(?:todowrite|write_todos|update_plan)/i

function entryOf(id: string, tool: OpenTool): Entry {
  const { fields, terminal, exitCode, thought } = tool
  const name = nameOf(id, tool)
  const diffs = readDiffs(fields['content'])
  const shown = terminal || readContent(fields['content']) || printedOf(fields['rawOutput'])
  const title = textOf(fields, 'title') ?? name
  const hasFailed = fields['status'] === 'failed'
  const result = fields['rawOutput'] === undefined ? {} : { result: boundJson(fields['rawOutput']) }
  const toolOutput = {
    ...(diffs.length > 0 && { diffs: boundJson(diffs) }),
    ...(terminal ? { output: terminal, exit_code: exitCode } : result),
    ...(hasFailed && { is_error: true }),
  }
  return {
    messageType: planTools.test(name) ? 'PLAN_EVALUATION' : 'ACTION',
    thought,
    toolName: name,
    toolInput: inputOf(tool),
    toolOutput,
    observation: hasFailed ? `failed: ${shown || title}` : shown || title,
  }
}

/** Some agents show a command's description, and what it printed only here. */
const printedOf = (raw: unknown): string => (typeof raw === 'string' ? raw : (textOf(raw, 'output') ?? ''))

/** As the protocol's newest form says it, or what adapters add, or a bare first title, or what an id begins with, or the kind. */
function nameOf(id: string, { fields, meta, firstTitle }: OpenTool): string {
  const bare = /^[A-Za-z][\w-]*$/.test(firstTitle ?? '') ? firstTitle : undefined
  const name =
    textOf(fields, 'name') ??
    textOf(meta['claudeCode'], 'toolName') ??
    bare ??
    /^([A-Za-z]\w*?)(?:__|-\d)/.exec(id)?.[1] ??
    textOf(fields, 'kind') ??
    'other'
  return name.slice(0, NAME_CHARACTERS_MAX)
}

function inputOf({ fields }: OpenTool): JsonObject {
  const { rawInput, title, locations } = fields
  if (typeof rawInput === 'object' && rawInput !== null && Object.keys(rawInput).length > 0)
    return boundObject(rawInput)
  return boundObject({ title: title ?? null, ...(Array.isArray(locations) && locations.length > 0 && { locations }) })
}

const noticeEntry = (notice: object): Entry => ({
  messageType: 'ERROR',
  observation: [textOf(notice, 'title'), textOf(notice, 'description')]
    .filter(Boolean)
    .join('\n')
    .slice(0, NOTICE_CHARACTERS_MAX),
})

const stepStatus: Record<string, string> = { completed: 'done', in_progress: 'in_progress' }

function planEntry(entries: unknown, thought: string | null): Entry {
  const planned = (Array.isArray(entries) ? entries : []).slice(0, 100) as (Record<string, unknown> | null)[]
  const steps = planned.map((step) => ({
    text: (textOf(step, 'content') ?? '').slice(0, 1_000),
    status: stepStatus[textOf(step, 'status') ?? ''] ?? 'pending',
  }))
  return { messageType: 'PLAN_EVALUATION', thought, observation: { steps } }
}
