import { operations, type AgentRun, type DryRun, type Operations } from './generated/api.ts'
import { followLog, type FollowLog } from './follow-log.ts'
import { readEvents, type ServerEvent } from './read-events.ts'
import { request, send, type ClientOptions, type Input, type RequestOptions } from './request.ts'

export type * from './generated/api.ts'
export { applyDelta, type WrittenText } from './apply-delta.ts'
export type { FollowLog, Progress } from './follow-log.ts'
export type { ClientOptions } from './request.ts'
export { RunwrightError } from './runwright-error.ts'

type Tag = (typeof operations)[keyof Operations]['tag']
type Call<Name extends keyof Operations> = (
  ...settings: undefined extends Input<Name>
    ? [input?: Input<Name>, options?: RequestOptions]
    : [input: Input<Name>, options?: RequestOptions]
) => Promise<Operations[Name]['answer']>

/** Those that answer bytes. */
type FileOperation = {
  [Name in keyof Operations]: Operations[Name]['answer'] extends Uint8Array ? Name : never
}[keyof Operations]

/** The operations of the API by their tags: `listPulls`, of the tag "Pull requests", is `pullRequests.listPulls`. */
type Api = {
  [T in Tag]: { [Name in keyof Operations as (typeof operations)[Name]['tag'] extends T ? Name : never]: Call<Name> }
}

export type Client = ReturnType<typeof createClient>

/**
 * The API as functions. Each takes what is in the path, the query and the body of its operation as one object, and rejects with a
 * `RunwrightError` for any answer that is no success.
 */
export function createClient(options: ClientOptions) {
  const api = callsOf(options)
  return {
    ...api,
    runs: { ...api.runs, ...runsOf(options, api) },
    /** The bytes of an operation that answers a file, as they come: a file of any size takes little memory. */
    async download<Name extends FileOperation>(name: Name, input: Input<Name>, more?: RequestOptions) {
      const { body } = await send(options, name, input, more)
      return body ?? new Blob([]).stream()
    },
  }
}

function callsOf(options: ClientOptions): Api {
  const api: Record<string, Record<string, unknown>> = {}
  for (const [name, { tag }] of Object.entries(operations))
    (api[tag] ??= {})[name] = (input: never, more?: RequestOptions) =>
      request(options, name as keyof Operations, input, more)
  return api as Api
}

type Ids = { org_id: number; agent_run_id: number }

/** What is not one request and its answer. */
function runsOf(options: ClientOptions, { runs, logs }: Api) {
  return {
    createRun: async (input: Omit<Input<'createRun'>, 'dry_run'>) => (await runs.createRun(input)) as AgentRun,
    /** Creates nothing, and answers what would become of the run. */
    dryRun: async (input: Input<'createRun'>, more?: RequestOptions) =>
      (await runs.createRun({ ...input, dry_run: true }, more)) as DryRun,
    /** The log as it grows, each entry once and in order, until the run has ended. */
    followLog: (ids: Ids, follow: FollowLog = {}) =>
      followLog(
        {
          readPage: (skip, limit) => logs.listLog({ ...ids, skip, limit }, follow),
          openStream: async (after_seq) => eventsOf(await send(options, 'streamLog', { ...ids, after_seq }, follow)),
        },
        follow,
      ),
    /** Status changes of all runs from now on, until the connection ends; there is no cursor, so list again then. */
    async *followStatuses(input: Input<'streamRuns'>, more?: RequestOptions): AsyncGenerator<AgentRun> {
      const events = eventsOf(await send(options, 'streamRuns', input, more))
      for await (const { event, data } of events ?? []) if (event === 'status') yield JSON.parse(data) as AgentRun
    },
  }
}

/** The service says a word every 15 s, even where there is nothing to say. */
const silenceMsMax = 40_000

/** The events of a stream; null where the service says that there are no more. */
function eventsOf({ status, body }: Response): AsyncIterable<ServerEvent> | null {
  return status === 204 || !body ? null : readEvents(body, { silenceMsMax })
}
