import type { Tool } from './tools/tool.ts'

type Offered = Pick<Tool, 'name' | 'schema'>

/** What other agents call what ours do. */
const otherNames: Record<string, RegExp> = {
  shell: /bash|terminal|exec|command|run/,
  write: /write|create/,
  apply_patch: /patch|diff/,
  edit: /edit|replace|patch|insert/,
  search: /search|grep|find|rg/,
  list: /list|ls|glob|dir|tree/,
  read: /read|cat|view|open/,
  plan: /plan|todo|task/,
  finish: /finish|done|complete|submit|final/,
  ask_user: /ask|question/,
  start_run: /agent|delegate|spawn/,
}
const FIELDS_MAX = 3

/** Why a call can be taken by no tool, in one sentence: which tool, which field, what was expected. `input` is text where it is no JSON. */
export function explainCall(call: { name: string; input: unknown }, tools: readonly Offered[]): string {
  const { name, input } = call
  const tool = tools.find((each) => each.name === name)
  if (!tool) return explainName(name, tools)
  if (typeof input === 'string')
    return `The arguments of ${name} are not valid JSON, so it was not called: send them anew.`
  const { error } = tool.schema.safeParse(input)
  if (!error) return `${name} could not be called: send the call anew.`
  const faults = error.issues.slice(0, FIELDS_MAX).map((issue) => {
    if (issue.code === 'unrecognized_keys') return `there is no field ${issue.keys.slice(0, FIELDS_MAX).join(', ')}`
    const field = issue.path.join('.') || 'the whole'
    return `${field}: ${issue.message.replace(/^Invalid input: /, '')}`
  })
  return `${name} was not called, because its arguments do not fit: ${faults.join('; ')}.`
}

function explainName(name: string, tools: readonly Offered[]): string {
  const near = tools.find((tool) => otherNames[tool.name]?.test(name.slice(0, 100).toLowerCase()))
  const names = tools.map((tool) => tool.name).join(', ')
  const hint = near ? `; you may mean ${near.name}` : ''
  return `There is no tool ${name.slice(0, 100)}${hint}. There are ${names}.`
}
