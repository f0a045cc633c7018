import type { HostActor, HostEvent, HostSubject } from '#base/hosts/host-event.ts'
import type { WebhookNews } from '#adapters/codehosts/webhook.ts'
import { assignmentKey } from './assignments.ts'
import { closedKey, reviewStates } from './list-news.ts'
import { readActor } from './read-actor.ts'

type Fields = Record<string, unknown>
type Told = { event: HostEvent; key?: string | null }

/** What a GitHub webhook tells of, in our words. Throws for what is not as GitHub documents it. */
export function readWebhook(name: string, body: Buffer): WebhookNews[] {
  const payload = asFields(JSON.parse(body.toString()), 'payload')
  if (namesRepositories.has(name)) return [{ about: 'repositories' }]
  const read = readers[name]
  if (!read) return []
  const hostRepoId = String(numberIn(fieldsIn(payload, 'repository'), 'id'))
  return read(payload).map(({ event, key = null }) => ({ about: 'repository', hostRepoId, event, key }))
}

const namesRepositories = new Set(['repository', 'installation', 'installation_repositories', 'installation_target'])

const readers: Record<string, (payload: Fields) => Told[]> = {
  issue_comment: readIssueComment,
  pull_request_review_comment: readLineComment,
  pull_request_review: readReview,
  issues: readIssue,
  pull_request: readPull,
  push: readPush,
  check_run: readCheckRun,
  check_suite: readCheckSuite,
  workflow_run: (payload) => readCheck(payload, fieldsIn(payload, 'workflow_run'), 'head_sha'),
  status: (payload) => readCheck(payload, payload, 'sha'),
}

function readIssueComment(payload: Fields): Told[] {
  const issue = fieldsIn(payload, 'issue')
  const number = numberIn(issue, 'number')
  const on: HostSubject = { kind: issue['pull_request'] ? 'pull' : 'issue', number }
  return commentIn(payload, { on, kind: 'issue_comment', comment: fieldsIn(payload, 'comment'), isNew: 'created' })
}

function readLineComment(payload: Fields): Told[] {
  const number = numberIn(fieldsIn(payload, 'pull_request'), 'number')
  const on = { kind: 'pull', number } as const
  return commentIn(payload, { on, kind: 'review_comment', comment: fieldsIn(payload, 'comment'), isNew: 'created' })
}

/** What a review says as a whole is a comment too. */
function readReview(payload: Fields): Told[] {
  const number = numberIn(fieldsIn(payload, 'pull_request'), 'number')
  const review = fieldsIn(payload, 'review')
  const asComment = { on: { kind: 'pull', number }, kind: 'review', comment: review, isNew: 'submitted' } as const
  const comments = textIn(review, 'body').trim() ? commentIn(payload, asComment) : []
  if (payload['action'] !== 'submitted') return comments
  const content = { body: textIn(review, 'body'), url: textIn(review, 'html_url') }
  const state = reviewStates.find((known) => known === textIn(review, 'state').toLowerCase())
  const at = timeIn(review, 'submitted_at')
  if (!state) return comments
  const id = `review:${numberIn(review, 'id')}`
  const event = { type: 'review', id, number, state, ...content, actor: actorIn(review, 'user'), at } as const
  return [{ event, key: id }, ...comments]
}

type Commented = { on: HostSubject; kind: string; comment: Fields; isNew: 'created' | 'submitted' }

/** One that is new, of its writer; or one that was changed, of whoever has changed it. */
function commentIn(payload: Fields, { on, kind, comment, isNew }: Commented): Told[] {
  const { action } = payload
  if (action !== isNew && action !== 'edited') return []
  const id = `${kind}:${numberIn(comment, 'id')}`
  const content = { id, body: textIn(comment, 'body'), url: textIn(comment, 'html_url') }
  const at = timeIn(comment, kind === 'review' ? 'submitted_at' : 'created_at')
  const comments = { type: 'comment', on, comment: content, at } as const
  if (action === isNew) return [{ event: { ...comments, actor: actorIn(comment, 'user') }, key: `comment:${id}` }]
  const { changes } = payload
  if (!hasFields(changes) || !hasFields(changes['body'])) return []
  return [{ event: { ...comments, actor: actorIn(payload, 'sender'), before: textIn(changes['body'], 'from') } }]
}

function readIssue(payload: Fields): Told[] {
  const action = issueActions.find((known) => known === payload['action'])
  if (!action) return []
  const issue = fieldsIn(payload, 'issue')
  const number = numberIn(issue, 'number')
  const happened = {
    type: 'issue',
    action,
    number,
    actor: actorIn(payload, 'sender'),
    at: timeIn(issue, 'updated_at'),
  } as const
  const assignee = action === 'assigned' ? actorIn(payload, 'assignee') : null
  const label = action === 'labeled' ? textIn(fieldsIn(payload, 'label'), 'name') : null
  const event = { ...happened, ...(assignee && { assignee }), ...(label !== null && { label }) }
  const word = assignee?.hostUserId ?? label
  if (word !== null) return [{ event, key: assignmentKey(number, { action, word, at: event.at }) }]
  const key = action === 'opened' ? `issue:${number}:opened` : action === 'closed' ? closedKeyOf('issue', issue) : null
  return [{ event, key }]
}

const issueActions = ['opened', 'assigned', 'labeled', 'closed', 'reopened'] as const

function readPull(payload: Fields): Told[] {
  const action = pullActions[String(payload['action'])]
  if (!action) return []
  const pull = fieldsIn(payload, 'pull_request')
  const number = numberIn(pull, 'number')
  const requested = action === 'review_requested' ? actorIn(payload, 'requested_reviewer') : null
  const happened = {
    type: 'pull',
    action,
    number,
    actor: actorIn(payload, 'sender'),
    at: timeIn(pull, 'updated_at'),
  } as const
  const keys: Partial<Record<typeof action, string>> = {
    opened: `pull:${number}:opened`,
    closed: closedKeyOf('pull', pull),
    head_changed: `pull:${number}:head:${textIn(fieldsIn(pull, 'head'), 'sha')}`,
  }
  return [{ event: { ...happened, ...(requested && { requested }) }, key: keys[action] ?? null }]
}

/** When it was closed is known of one that is. */
function closedKeyOf(type: 'issue' | 'pull', issue: Fields): string {
  const isClosed = typeof issue['closed_at'] === 'string'
  return closedKey(type, numberIn(issue, 'number'), timeIn(issue, isClosed ? 'closed_at' : 'updated_at'))
}

const pullActions: Record<string, Extract<HostEvent, { type: 'pull' }>['action']> = {
  opened: 'opened',
  synchronize: 'head_changed',
  closed: 'closed',
  reopened: 'reopened',
  ready_for_review: 'ready',
  review_requested: 'review_requested',
  edited: 'edited',
}

/** Of branches alone. Whose it was shows what we have pushed ourselves. */
function readPush(payload: Fields): Told[] {
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(textIn(payload, 'ref')) ?? []
  if (branch === undefined) return []
  const commit = (name: string) => {
    const id = textIn(payload, name)
    return /^0+$/.test(id) ? null : id
  }
  // A push says when its last commit was made, which may be years ago.
  const at = new Date().toISOString()
  const moved = { before: commit('before'), after: commit('after'), runId: null }
  return [{ event: { type: 'push', branch, ...moved, actor: actorIn(payload, 'sender'), at } }]
}

/** What is wanted of a check GitHub tells the App alone that has made it. */
function readCheckRun(payload: Fields): Told[] {
  const run = fieldsIn(payload, 'check_run')
  const changed = readCheck(payload, run, 'head_sha')
  const { action, requested_action: requested } = payload
  const identifier = hasFields(requested) ? textIn(requested, 'identifier') : null
  const button = action === 'rerequested' ? 'rerun' : buttons.find((known) => known === identifier)
  if (!button || (action !== 'rerequested' && action !== 'requested_action')) return changed
  return [buttonOf(payload, { button, commit: textIn(run, 'head_sha'), key: textIn(run, 'external_id') }), ...changed]
}

const buttons = ['fix', 'stop'] as const

function readCheckSuite(payload: Fields): Told[] {
  const suite = fieldsIn(payload, 'check_suite')
  const changed = readCheck(payload, suite, 'head_sha')
  if (payload['action'] !== 'rerequested') return changed
  return [buttonOf(payload, { button: 'rerun', commit: textIn(suite, 'head_sha'), key: null }), ...changed]
}

type Button = Extract<HostEvent, { type: 'button' }>

/** GitHub does not say when. */
function buttonOf(payload: Fields, pressed: Pick<Button, 'button' | 'commit' | 'key'>): Told {
  const at = new Date().toISOString()
  return { event: { type: 'button', ...pressed, actor: actorIn(payload, 'sender'), at } }
}

function readCheck(payload: Fields, check: Fields, name: 'head_sha' | 'sha'): Told[] {
  const at = ['updated_at', 'completed_at', 'started_at']
    .map((key) => check[key])
    .find((time) => typeof time === 'string')
  const event = { type: 'checks_changed', commit: textIn(check, name), actor: actorIn(payload, 'sender') } as const
  return [{ event: { ...event, at: typeof at === 'string' ? at : new Date().toISOString() } }]
}

function actorIn(fields: Fields, name: string): HostActor | null {
  const user = fields[name]
  if (user === null || user === undefined) return null
  const known = asFields(user, name)
  const type = known['type']
  return readActor({
    id: numberIn(known, 'id'),
    login: textIn(known, 'login'),
    type: typeof type === 'string' ? type : undefined,
  })
}

function fieldsIn(fields: Fields, name: string): Fields {
  return asFields(fields[name], name)
}

function numberIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (!Number.isSafeInteger(value)) throw new TypeError(`${name} is no number`)
  return value as number
}

/** Empty where there is none; as PostgreSQL can hold it. */
function textIn(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new TypeError(`${name} is no text`)
  return value.replaceAll('\0', '').toWellFormed()
}

function timeIn(fields: Fields, name: string): string {
  const time = new Date(textIn(fields, name))
  if (Number.isNaN(time.getTime())) throw new TypeError(`${name} is no time`)
  return time.toISOString()
}

function asFields(value: unknown, name: string): Fields {
  if (!hasFields(value)) throw new TypeError(`${name} is no object`)
  return value
}

function hasFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
