import { createHmac, randomUUID } from 'node:crypto'
import type { Random } from '#test/chaos/random.ts'
import type { Conform } from './conform/conform.ts'
import { showInstallation, showRepository, showAccount } from './show.ts'
import { inBackground, isInstalledOn, type Hook, type Tell, type World } from './world.ts'

/** One event for one hook. A redelivery has the same `guid` and an id of its own. */
export type Delivery = {
  id: number
  guid: string
  hook: Hook
  event: string
  action: string | null
  installationId: number | null
  repositoryId: number | null
  deliveredAt: Date
  redelivery: boolean
  /** The bytes that are signed. */
  body: string
  /** Of the receiver; null before, and where there was no answer. */
  statusCode: number | null
}

/** How deliveries are sent: in order and once each, unless a test has it otherwise. */
export type Deliveries = {
  /** Every delivery that was ever meant to be sent. */
  all: Delivery[]
  /** From now on nothing is sent. */
  hold(): void
  /** Sends what was held, and goes on as `disturb` says. */
  release(): void
  /** From now on each is sent up to so many times, those that wait in any order, and some at once. Null: as in the beginning. */
  disturb(how: Disturbed | null): void
  /** One of them once more, as it is or with other bytes or headers. */
  send(delivery: Delivery, forged?: { body?: string; headers?: Record<string, string> }): Promise<number | null>
  redeliver(delivery: Delivery): void
  tell: Tell
}

type Disturbed = { random: Random; timesMax: number; atOnce?: number }

const alwaysSent = new Set(['installation', 'installation_repositories', 'ping'])

export function openDeliveries(world: World, conform: Pick<Conform, 'webhook'>): Deliveries {
  const all: Delivery[] = []
  let waiting: Delivery[] = []
  let ids = 93_000_000_000
  const way: { isHeld: boolean; sending: number; disturbed: Disturbed | null } = {
    isHeld: false,
    sending: 0,
    disturbed: null,
  }

  async function sendWaiting(): Promise<void> {
    way.sending++
    while (!way.isHeld && waiting.length) {
      const place = way.disturbed ? way.disturbed.random.between(0, waiting.length - 1) : 0
      const [delivery] = waiting.splice(place, 1)
      if (delivery) await send(delivery)
    }
    way.sending--
  }
  const goOn = () => {
    while (!way.isHeld && way.sending < Math.min(waiting.length, way.disturbed?.atOnce ?? 1))
      inBackground(world, sendWaiting())
  }
  const often = (delivery: Delivery) =>
    Array.from({ length: way.disturbed?.random.between(1, way.disturbed.timesMax) ?? 1 }, () => delivery)
  const enqueue = (delivery: Delivery) => {
    all.push(delivery)
    waiting.push(...often(delivery))
    goOn()
  }

  return {
    all,
    send,
    hold: () => (way.isHeld = true),
    release: () => {
      way.isHeld = false
      goOn()
    },
    disturb: (how) => {
      way.disturbed = how
      waiting = waiting.flatMap(often)
    },
    redeliver: (delivery) =>
      enqueue({ ...delivery, id: ++ids, redelivery: true, deliveredAt: new Date(), statusCode: null }),
    tell: (report) => {
      for (const hook of world.hooks) {
        const installation = 'slug' in hook.owner ? installationFor(world, hook, report) : null
        if (!isFor(hook, report, installation)) continue
        const payload = {
          ...(report.action !== undefined && { action: report.action }),
          ...report.payload,
          ...(report.repository && { repository: showRepository(world, report.repository) }),
          ...(report.repository?.owner.type === 'Organization' && {
            organization: { login: report.repository.owner.login, id: report.repository.owner.id },
          }),
          sender: showAccount(world, report.by),
          ...(installation && {
            installation:
              report.event === 'installation' || report.event === 'installation_repositories'
                ? showInstallation(world, installation)
                : { id: installation.id, node_id: String(installation.id) },
          }),
        }
        enqueue({
          id: ++ids,
          guid: randomUUID(),
          hook,
          event: report.event,
          action: report.action ?? null,
          installationId: installation?.id ?? null,
          repositoryId: report.repository?.id ?? null,
          deliveredAt: new Date(),
          redelivery: false,
          body: JSON.stringify(conform.webhook(nameOf(report), payload)),
          statusCode: null,
        })
      }
    },
  }
}

type Told = Parameters<Tell>[0]

const nameOf = ({ event, action }: Told) => (action === undefined ? event : `${event} ${action}`)

function installationFor(world: World, hook: Hook, report: Told) {
  if (report.installation) return report.installation.app === hook.owner ? report.installation : null
  return world.installations.find(
    (each) => each.app === hook.owner && report.repository !== null && isInstalledOn(each, report.repository),
  )
}

function isFor(hook: Hook, report: Told, installation: unknown): boolean {
  if (!hook.isActive || !hook.url) return false
  if ('slug' in hook.owner) {
    // Who asks for a check again, or presses a button of it, asks the App that made it.
    const check = report.payload['check_run'] ?? report.payload['check_suite']
    const owner = (check as { app?: { id: number } } | undefined)?.app?.id
    if ((report.action === 'rerequested' || report.action === 'requested_action') && owner !== hook.owner.id)
      return false
    return Boolean(installation) && (alwaysSent.has(report.event) || hook.owner.events.includes(report.event))
  }
  return hook.owner === report.repository && (hook.events.includes('*') || hook.events.includes(report.event))
}

/** Posts it as GitHub does. Answers the receiver's status, or null where it was not to be reached. */
async function send(
  delivery: Delivery,
  forged: { body?: string; headers?: Record<string, string> } = {},
): Promise<number | null> {
  const { hook } = delivery
  const json = forged.body ?? delivery.body
  const body = hook.contentType === 'form' ? String(new URLSearchParams({ payload: json })) : json
  const headers = { ...headersOf(delivery, body), ...forged.headers }
  const response = await fetch(hook.url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null)
  await response?.text().catch(() => '')
  delivery.statusCode = response?.status ?? null
  return delivery.statusCode
}

function headersOf({ hook, guid, event }: Delivery, body: string): Record<string, string> {
  const isApp = 'slug' in hook.owner
  const mac = (kind: string, secret: string) => `${kind}=${createHmac(kind, secret).update(body).digest('hex')}`
  return {
    accept: '*/*',
    'content-type': hook.contentType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    'user-agent': 'GitHub-Hookshot/0a1b2c3',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(hook.id),
    'x-github-hook-installation-target-id': String(hook.owner.id),
    'x-github-hook-installation-target-type': isApp ? 'integration' : 'repository',
    ...(hook.secret && {
      'x-hub-signature': mac('sha1', hook.secret),
      'x-hub-signature-256': mac('sha256', hook.secret),
    }),
  }
}

export function showDelivery(delivery: Delivery, isWhole: boolean): Record<string, unknown> {
  const { statusCode } = delivery
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt.toISOString(),
    redelivery: delivery.redelivery,
    duration: 0.1,
    status: statusCode === null ? 'failed to connect to host' : statusCode < 400 ? 'OK' : 'Invalid HTTP Response',
    status_code: statusCode ?? 0,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
    ...(isWhole && {
      url: delivery.hook.url,
      request: { headers: headersOf(delivery, delivery.body), payload: JSON.parse(delivery.body) },
      response: { headers: {}, payload: '' },
    }),
  }
}
