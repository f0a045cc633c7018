import type { z } from 'zod'
import type { ChildRuns, SecretName, Turn } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { JsonObject } from '#base/json.ts'
import type { Sessions } from './open-sessions.ts'

/** A command of this turn, as `finish` may name it for a check. */
export type RanCommand = {
  /** As its result names it: `t1-3.1`. */
  step: string
  command: string
  /** Null where it was killed. */
  exitCode: number | null
  seconds: number
  /** It ran before the last edit, so it says nothing of the work as it is. */
  isStale: boolean
}

/** What commands have said of the files since the last edit. */
export type EditState = 'unedited' | 'unchecked' | 'failing' | 'checked'

/** What a tool may know and touch. It acts through the sandbox alone. */
export type ToolContext = {
  sandbox: Sandbox
  signal: AbortSignal
  /** Secrets that a command may ask for. */
  secrets: readonly SecretName[]
  /** Names that the network refused in the last milliseconds. */
  listRefusals?: Turn['listRefusals']
  /** Runs that this one may start; none where it may not. */
  children?: ChildRuns | undefined
  /** Tools of this turn besides our own. */
  findTool?: (name: string) => Tool | undefined
  /** Commands that run on between calls. */
  sessions: Sessions
  /** Unique in the run and fit for a file name: `t1-3.0`. */
  callName: string
  /** Whether the model can be shown an image in a tool's result. */
  canSeeImages: boolean
  /** By path, the hash of each file as the model last saw it. */
  seen: ReadonlyMap<string, string>
  editState: EditState
  /** Of this turn, oldest first. */
  commands: readonly RanCommand[]
  /** What `finish` is to be given besides; null: nothing. */
  outputSchema: JsonObject | null
  /** `finish` was refused before in this turn. */
  wasRefused: boolean
  /** Commands of the repository that have failed before this call of `finish`, with the words for the model. */
  failedHooks: readonly { command: string; text: string }[]
  /** How often `finish` was refused for them in this turn. */
  hookRefusals: number
  /** Files are lost, and the model has not been told yet. */
  hasUntoldLoss: boolean
}

/** What a tool is told of a turn in which nothing has happened yet. */
export const nothingYet = {
  editState: 'unedited',
  commands: [],
  outputSchema: null,
  wasRefused: false,
  failedHooks: [],
  hookRefusals: 0,
  hasUntoldLoss: false,
} satisfies Partial<ToolContext>

/** A file as the model has read or left it. */
type Seen = { path: string; hash: string }

export type ToolResult = {
  /** What the model reads. */
  text: string
  /** The same for programs: `tool_output`. */
  output: JsonObject
  /** All that a command printed, where `output` holds its beginning and its end. For the log; it is not kept for the model. */
  printed?: string
  isError?: boolean
  seen?: Seen | Seen[]
  image?: { mediaType: string; base64: string }
}

/** What people read of a result. */
export function loggedOutput({ output, printed }: ToolResult): JsonObject {
  return printed === undefined ? output : { ...output, output: printed }
}

export type Tool = {
  name: string
  description: string
  schema: z.ZodType
  /** Such calls run at the same time, and again after a crash. */
  isReadOnly: boolean
  /** A call that changes something, but leaves the same when it is made twice: it too is made again after a crash. */
  isRepeatable?: boolean
  /** What it answers holds words of files, of programs, or of whoever wrote them. */
  isFromOutside?: boolean
  /** What people read of a call; all of it when left out. */
  loggedInput?(input: JsonObject): JsonObject
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

/** Ties a tool's schema to what its `run` takes. */
export function defineTool<Schema extends z.ZodType>(
  tool: Omit<Tool, 'schema' | 'run'> & {
    schema: Schema
    run(input: z.infer<Schema>, context: ToolContext): Promise<ToolResult>
  },
): Tool {
  return { ...tool, run: (input, context) => tool.run(tool.schema.parse(input), context) }
}

/** A call that did not do what was asked. Its message names what was got, what is wanted, and one next step. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly output: JsonObject
  constructor(message: string, output: JsonObject = {}) {
    super(message)
    this.output = output
  }
}
