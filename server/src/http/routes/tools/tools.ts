import type { TObject } from 'typebox'
import type { JsonObject } from '#base/json.ts'
import type { Route } from '#http/pipeline/route.ts'
import { listEnginesRoute } from '#http/routes/engines/list-engines.ts'
import { listModelsRoute } from '#http/routes/engines/list-models.ts'
import { listLogRoute } from '#http/routes/logs/list-log.ts'
import { listReposRoute } from '#http/routes/repos/list-repos.ts'
import { cancelRunRoute } from '#http/routes/runs/cancel-run.ts'
import { createRunRoute } from '#http/routes/runs/create-run.ts'
import { getRunRoute } from '#http/routes/runs/get-run.ts'
import { listRunsRoute } from '#http/routes/runs/list-runs.ts'
import { resumeRunRoute } from '#http/routes/runs/resume-run.ts'

/** What an agent elsewhere may do here: an endpoint of the API, which it asks with the rights of whoever it works for. */
export type Tool = {
  name: string
  description: string
  category: string
  route: Route
  /** What of the endpoint's path, query and body it takes. */
  fields: string[]
}

export const tools: readonly Tool[] = [
  {
    name: 'start_run',
    description: 'Starts a run: an agent that works on the task by itself in a sandbox. Returns at once, with its id.',
    category: 'Runs',
    route: createRunRoute,
    fields: ['prompt', 'repo_id', 'title', 'agent_type', 'model', 'base_branch', 'max_cost_usd', 'timeout_minutes'],
  },
  {
    name: 'read_run',
    description: 'Returns a run: its status, its result once it has ended, and its pull requests.',
    category: 'Runs',
    route: getRunRoute,
    fields: ['agent_run_id'],
  },
  {
    name: 'list_runs',
    description: 'Lists runs, newest first.',
    category: 'Runs',
    route: listRunsRoute,
    fields: ['repo_id', 'agent_type', 'q', 'skip', 'limit'],
  },
  {
    name: 'read_run_log',
    description: 'Returns a page of the log of a run.',
    category: 'Runs',
    route: listLogRoute,
    fields: ['agent_run_id', 'skip', 'limit', 'reverse'],
  },
  {
    name: 'follow_up_run',
    description: 'Sends a run another prompt, which starts its next turn if it has ended.',
    category: 'Runs',
    route: resumeRunRoute,
    fields: ['agent_run_id', 'prompt'],
  },
  {
    name: 'stop_run',
    description: 'Stops a run.',
    category: 'Runs',
    route: cancelRunRoute,
    fields: ['agent_run_id'],
  },
  {
    name: 'list_repositories',
    description: 'Lists the repositories of the organization, with their ids.',
    category: 'Repositories',
    route: listReposRoute,
    fields: ['skip', 'limit'],
  },
  {
    name: 'list_engines',
    description: 'Lists the engines that a run may be started with, as its agent_type.',
    category: 'Engines',
    route: listEnginesRoute,
    fields: [],
  },
  {
    name: 'list_models',
    description: 'Lists the models that a run may be started with.',
    category: 'Engines',
    route: listModelsRoute,
    fields: [],
  },
]

type Property = { type: string | string[]; description?: string; default?: unknown }
type Shape = { properties: Record<string, Property>; required?: string[] }

const shapeOf = (schema: TObject | undefined) => (schema ?? { properties: {} }) as unknown as Shape

/** JSON Schema of the arguments of a tool, in as few words as any client understands: null stands for a field that is left out. */
export function parametersOf({ route, fields }: Tool): JsonObject {
  const shapes = [route.params, route.query, route.body].map(shapeOf)
  const found = fields.map((name) => {
    const { properties, required = [] } = shapes.find((shape) => name in shape.properties)!
    const { type, description, default: isGiven } = properties[name]!
    const schema = { type: [type].flat()[0]!, ...(description && { description }) }
    return { name, schema, isRequired: required.includes(name) && isGiven === undefined }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

/** The arguments of a call as its endpoint takes them. What is no field of the tool is left out. */
export function requestOf(
  { route, fields }: Tool,
  options: Record<string, unknown>,
): Record<'params' | 'query' | 'body', Record<string, unknown>> {
  const pick = (schema: TObject | undefined) =>
    Object.fromEntries(
      fields.flatMap((name) => {
        const value = Object.hasOwn(options, name) ? options[name] : undefined
        return name in shapeOf(schema).properties && value !== undefined && value !== null ? [[name, value]] : []
      }),
    )
  return { params: pick(route.params), query: pick(route.query), body: pick(route.body) }
}
