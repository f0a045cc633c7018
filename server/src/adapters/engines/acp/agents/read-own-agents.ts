import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { providerNames } from '#base/models/model-providers.ts'
import type { AgentModel, AgentPlaces, AgentSpec } from './agent-spec.ts'

const BYTES_MAX = 1024 * 1024
const AGENTS_MAX = 50

/** An agent of the operator's own. It is known as `acp:` and its name. */
export type OwnAgent = {
  name: string
  spec: AgentSpec
  /** What its sandboxes show of this machine, read-only. */
  folder: string | null
}

/** What stands for something that only a run knows. */
const placeholders = ['home', 'mount', 'modules', 'node', 'model', 'baseUrl'] as const
const placeholder = /\{([A-Za-z]*)\}/g

const text = z
  .string()
  .max(100_000)
  .superRefine((value, context) => {
    for (const [all, name] of value.matchAll(placeholder))
      if (!placeholders.some((known) => known === name))
        context.addIssue(`${all} stands for nothing: there are ${placeholders.map((one) => `{${one}}`).join(', ')}`)
  })
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be the name of a variable')
const inHome = z
  .string()
  .refine((name) => !path.posix.isAbsolute(name) && !name.split('/').includes('..'), 'must be a path in its home')
const agent = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z][a-z0-9_-]{0,39}$/,
        'must be lower-case letters, digits, "_" and "-", up to 40, and begin with a letter',
      ),
    title: z.string().min(1).max(100).optional(),
    command: z.array(text).min(1),
    provider: z.enum(providerNames),
    needs_responses: z.boolean().optional(),
    folder: z
      .string()
      .refine((name) => path.isAbsolute(name), 'must be an absolute path')
      .optional(),
    environment: z.record(variable, text).optional(),
    token_variables: z.array(variable).optional(),
    files: z.record(inHome, text).optional(),
    auth_method: z.string().min(1).max(100).optional(),
    mode: z.string().min(1).max(100).optional(),
  })
  .superRefine(({ folder, command, environment = {}, files = {} }, context) => {
    const all = [...command, ...Object.values(environment), ...Object.values(files)]
    if (folder === undefined && all.some((one) => /\{(?:mount|modules)\}/.test(one)))
      context.addIssue({
        code: 'custom',
        message: 'names {mount} or {modules}, so it needs a folder',
        path: ['command'],
      })
  })
const agents = z.array(agent).max(AGENTS_MAX)

/** Reads the operator's file. Throws with each fault and its line. */
export function readOwnAgents(file: string): OwnAgent[] {
  const lines = new LineCounter()
  const content = read(file)
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken) throw new Error(`${file}, line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  const lineOf = (at: readonly PropertyKey[]): number => {
    for (let length = at.length; length > 0; length--) {
      const node: unknown = document.getIn(at.slice(0, length), true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const result = agents.safeParse(document.toJS({ maxAliasCount: 0 }))
  const faults = result.success
    ? findTwice(result.data).map((n) => ({ path: [n, 'name'], message: 'is the name of another agent, too' }))
    : result.error.issues
  if (!result.success || faults.length)
    throw new Error(
      faults.map(({ path: at, message }) => `${file}, line ${lineOf(at)}: ${at.join('.')} ${message}`).join('\n'),
    )
  return result.data.map(ownAgent)
}

function read(file: string): string {
  try {
    const content = readFileSync(file, 'utf8')
    if (content.length > BYTES_MAX) throw new Error('it is too long')
    return content
  } catch (error) {
    throw new Error(`The agents of RUNWRIGHT_AGENTS cannot be read from ${file}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

const findTwice = (all: { name: string }[]): number[] =>
  all.flatMap(({ name }, n) => (all.findIndex((one) => one.name === name) < n ? [n] : []))

function ownAgent({ name, command, environment = {}, files, ...options }: z.infer<typeof agent>): OwnAgent {
  const spec: AgentSpec = {
    name: `acp-${name}`,
    title: options.title ?? name,
    packages: {},
    entry: '',
    provider: options.provider,
    needsResponses: options.needs_responses ?? false,
    command: (places, model) => command.map((word) => fill(word, places, model)),
    environment: (model, places) => mapValues(environment, (value) => fill(value, places, model)),
    tokenVariables: options.token_variables ?? [],
    ...(files && { files: (model, places) => mapValues(files, (content) => fill(content, places, model)) }),
    ...(options.auth_method !== undefined && { authMethod: options.auth_method }),
    ...(options.mode !== undefined && { mode: options.mode }),
  }
  return { name, spec, folder: options.folder ?? null }
}

const mapValues = (record: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

function fill(words: string, { home, modules, node }: AgentPlaces, { id, baseUrl }: AgentModel): string {
  const values = { home, modules, node, mount: path.posix.dirname(modules), model: id, baseUrl }
  return words.replaceAll(placeholder, (_, name: keyof typeof values) => values[name])
}
