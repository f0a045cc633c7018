import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '#base/errors.ts'
import type { RequestPolicy } from '#base/rate-limits.ts'
import type { Permission } from '#domain/accounts/users/roles.ts'
import type { Components } from '#http/schemas/index.ts'
import type { PlannedEnd } from './announce-end.ts'
import type { Caller } from './caller.ts'
import type { HttpApp, HttpDb, HttpDeps, Recent } from './deps.ts'
import type { JsonOf } from './json-of.ts'

/**
 * Who may call: everybody, any good token, the instance's admins, or members with this permission in the path's
 * organization. Where the path names none, a permission asks for its scope only.
 */
export type Access = 'public' | 'token' | 'instance_admin' | Permission

/** The success of an endpoint; its body is the named component, or text of another media type, or nothing. */
export type Success = {
  status: 200 | 201 | 204
  description: string
  component?: keyof Components
  /** What it may answer in place of that: the name of another component. */
  otherwise?: keyof Components
  mediaType?: string
  /** Where it may answer 204 instead: what that says. */
  otherwiseEmpty?: string
}

/** What an endpoint is given. `app` is everything behind it but the pool: what it reads and writes goes through `db`. */
export type Call<Params, Query, Body, Answer = unknown> = {
  app: Omit<HttpApp, 'pool'>
  /**
   * The database as the path's organization sees it, or else as it is; where the request names an `Idempotency-Key`, the
   * transaction that its answer is kept in.
   */
  db: HttpDb
  /** For an endpoint that `isLong`: keeps the answer to be given again, in the transaction of what it tells of. */
  keep: (tx: HttpDb, body: Answer) => Promise<void>
  deps: Omit<HttpDeps, 'app'>
  recent: Recent
  params: Params
  query: Query
  body: Body
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** One endpoint, as data: the router, the documentation and the tests are made of it. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters as `:name`. One that begins with `/v1/organizations/:org_id` belongs to that organization. */
  path: string
  operationId: string
  tag: string
  summary: string
  description?: string
  /** Null: not limited. */
  policy: RequestPolicy | null
  access: Access
  params?: TObject
  query?: TObject
  body?: TObject
  /** How large the body may be; 1 MiB when not given. */
  bodyBytesMax?: number
  /** Headers that the handler reads; documented, and checked by the handler itself. */
  headers?: TObject
  /** A ticket may stand in the address in place of the Authorization header. */
  takesTicket?: boolean
  success: Success
  /** What it may fail with besides what every endpoint of its kind may. */
  errors?: ErrorCode[]
  /** Fields of the answer that are shown once: given again, it has null in their place. */
  secrets?: string[]
  /** What it answers holds a secret: it is never compressed, like what has `secrets`. See compress-answers.ts. */
  isPlain?: boolean
  /** Though its path names an organization, it also reaches what belongs to none, such as people. */
  isInstanceWide?: boolean
  /** Who asks for it is written down, though it changes nothing or its permission is one of those that members use all day. See audit-request.ts. */
  isAudited?: boolean
  /** Its work outlasts a transaction, so it is given no transaction, and calls `keep` where it makes its row. */
  isLong?: boolean
  /** Its answer has an ETag, and `If-None-Match` is answered with 304. */
  isTagged?: boolean
  /** Changes to it are announced ahead. */
  isAlpha?: boolean
  /** It is to be removed. */
  plannedEnd?: PlannedEnd
  /** Answers the body; a text is sent as it is, and a stream of bytes as they come. See `AnswerOf`. */
  handle: (call: Call<never, never, never>) => Promise<unknown>
}

/** What a handler may answer: what its `success` says. Of a 204 nothing is sent, so it may answer anything. */
type AnswerOf<Of extends Success, IsTagged extends boolean> = Of extends { status: 204 }
  ? unknown
  : Of extends { mediaType: string }
    ? string | Readable | AnsweredAlready
    : IsTagged extends true
      ? JsonOf<NamedBy<Of>>
      : NamedBy<Of>

/** What a handler has that writes its stream itself, or sends its `otherwiseEmpty`. */
type AnsweredAlready = FastifyReply | void

type NamedBy<Of extends Success> = Components[Extract<Of['component'] | Of['otherwise'], keyof Components>]

type Typed<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Of extends Success,
  IsTagged extends boolean,
> = Omit<Route, 'params' | 'query' | 'body' | 'success' | 'isTagged' | 'handle'> & {
  params?: Params
  query?: Query
  body?: Body
  success: Of
  isTagged?: IsTagged
  handle: (
    call: Call<Static<Params>, Static<Query>, Static<Body>, AnswerOf<Of, IsTagged>>,
  ) => Promise<AnswerOf<Of, IsTagged>>
}

/** Ties what the handler is given to the schemas that it was checked against, and what it answers to its component. */
export function defineRoute<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Of extends Success,
  IsTagged extends boolean = false,
>(route: Typed<Params, Query, Body, Of, IsTagged>): Route {
  return route
}

export const organizationPath = '/v1/organizations/:org_id'

export function isOfOrganization(route: Pick<Route, 'path'>): boolean {
  return route.path.includes('/organizations/:org_id')
}
