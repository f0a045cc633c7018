import { showDelivery, type Delivery } from '#test/github/deliver.ts'
import { invalid, notFound } from '#test/github/github-error.ts'
import { needText, page, textsOf, type Call, type Reply, type Route } from '#test/github/route.ts'
import { fullName, smallId, type App, type Hook, type Repository } from '#test/github/world.ts'
import { appOf } from './app-routes.ts'

const at = '/repos/{owner}/{repo}/hooks'
// Of people the first one counts: hooks are for admins.
const admin = { needs: { administration: 'admin' as const, repository_hooks: 'write' as const } }

type Sent = { all: Delivery[]; redeliver: (delivery: Delivery) => void }

/** Hooks, and what was sent by them: looked at, and sent once more. */
export const hookRoutes = (sent: Sent): Route[] => [
  { at: 'GET /app/hook/config', only: 'app', answer: (call) => ({ body: showConfig(hookOf(call, appOf(call.by))) }) },
  { at: 'PATCH /app/hook/config', only: 'app', answer: changeAppHook },
  { at: 'GET /app/hook/deliveries', only: 'app', answer: (call) => list(call, sent, appOf(call.by)) },
  { at: 'GET /app/hook/deliveries/{id}', only: 'app', answer: (call) => get(call, sent, appOf(call.by)) },
  { at: 'POST /app/hook/deliveries/{id}/attempts', only: 'app', answer: (call) => again(call, sent, appOf(call.by)) },
  { at: `POST ${at}`, ...admin, answer: createHook },
  {
    at: `GET ${at}`,
    ...admin,
    answer: (call) =>
      page(
        call,
        hooksOf(call).map((hook) => showHook(call, hook)),
      ),
  },
  { at: `PATCH ${at}/{hook}`, ...admin, answer: changeHook },
  {
    at: `DELETE ${at}/{hook}`,
    ...admin,
    answer: (call) => {
      call.world.hooks.splice(call.world.hooks.indexOf(hookIn(call)), 1)
      return { status: 204 }
    },
  },
  { at: `GET ${at}/{hook}/deliveries`, ...admin, answer: (call) => list(call, sent, call.repository) },
  { at: `GET ${at}/{hook}/deliveries/{id}`, ...admin, answer: (call) => get(call, sent, call.repository) },
  { at: `POST ${at}/{hook}/deliveries/{id}/attempts`, ...admin, answer: (call) => again(call, sent, call.repository) },
]

const hooksOf = ({ world, repository }: Call) => world.hooks.filter((hook) => hook.owner === repository)

function hookOf({ world }: Call, owner: App): Hook {
  const hook = world.hooks.find((each) => each.owner === owner)
  if (!hook) throw notFound()
  return hook
}

function hookIn(call: Call): Hook {
  const hook = hooksOf(call).find((each) => String(each.id) === call.params['hook'])
  if (!hook) throw notFound()
  return hook
}

const showConfig = (hook: Hook) => ({
  content_type: hook.contentType,
  insecure_ssl: '0',
  ...(hook.url && { url: hook.url }),
  ...(hook.secret && { secret: '********' }),
})

const showHook = ({ world, repository }: Call, hook: Hook) => ({
  type: 'Repository',
  id: hook.id,
  name: 'web',
  active: hook.isActive,
  events: hook.events,
  config: showConfig(hook),
  url: `${world.apiUrl}/repos/${fullName(repository)}/hooks/${hook.id}`,
})

function createHook(call: Call): Reply {
  const { world, repository, body } = call
  const config = (body['config'] ?? {}) as Config
  if (!config.url) throw invalid('Hook', { field: 'config', code: 'missing_field' })
  if (hooksOf(call).some((hook) => hook.url === config.url))
    throw invalid('Hook', 'Hook already exists on this repository')
  if (body['name'] !== undefined) needText(call, 'name', 'Hook')
  const events = textsOf(call, 'events')
  const hook: Hook = {
    id: smallId(world),
    owner: repository,
    url: config.url,
    secret: config.secret ?? null,
    events: events.length ? events : ['push'],
    isActive: body['active'] !== false,
    contentType: config.content_type ?? 'form',
  }
  world.hooks.push(hook)
  return { status: 201, body: showHook(call, hook) }
}

type Config = { url?: string; secret?: string; content_type?: 'json' | 'form' }

/** A config is replaced as a whole: what it leaves out is gone. */
function changeHook(call: Call): Reply {
  const { body } = call
  const hook = hookIn(call)
  const config = body['config'] as Config | undefined
  if (config) {
    if (!config.url) throw invalid('Hook', { field: 'config', code: 'missing_field' })
    const { url, secret = null, content_type: contentType = 'form' } = config
    Object.assign(hook, { url, secret, contentType })
  }
  if (Array.isArray(body['events'])) hook.events = textsOf(call, 'events')
  if (typeof body['active'] === 'boolean') hook.isActive = body['active']
  return { body: showHook(call, hook) }
}

/** Of an App only what is named changes. */
function changeAppHook(call: Call): Reply {
  const hook = hookOf(call, appOf(call.by))
  const { url, secret, content_type: contentType } = call.body as Config
  if (url !== undefined) Object.assign(hook, { url, isActive: url !== '' })
  if (secret !== undefined) hook.secret = secret
  if (contentType !== undefined) hook.contentType = contentType
  return { body: showConfig(hook) }
}

/** Newest first; the next page is named by where it begins. */
function list(call: Call, sent: Sent, owner: App | Repository): Reply {
  const { url } = call
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30) || 30)
  const cursor = Number(url.searchParams.get('cursor') ?? Infinity)
  const isFailure = url.searchParams.get('status') === 'failure'
  const before = sent.all
    .filter((each) => each.hook.owner === owner && each.id < cursor)
    .filter((each) => !isFailure || each.statusCode === null || each.statusCode >= 400)
    .toReversed()
  const shown = before.slice(0, size)
  const last = shown.at(-1)
  const headers: Record<string, string> = {}
  if (last && before.length > size) {
    const next = new URL(url)
    next.searchParams.set('cursor', String(last.id))
    headers['link'] = `<${next}>; rel="next"`
  }
  return { body: shown.map((delivery) => showDelivery(delivery, false)), headers }
}

function find({ params }: Call, sent: Sent, owner: App | Repository): Delivery {
  const delivery = sent.all.find((each) => String(each.id) === params['id'] && each.hook.owner === owner)
  if (!delivery) throw notFound()
  return delivery
}

const get = (call: Call, sent: Sent, owner: App | Repository): Reply => ({
  body: showDelivery(find(call, sent, owner), true),
})

function again(call: Call, sent: Sent, owner: App | Repository): Reply {
  sent.redeliver(find(call, sent, owner))
  return { status: 202, body: {} }
}
