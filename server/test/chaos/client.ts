import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'

export type Answer = { status: number; isReplay: boolean; body: Record<string, unknown> }

export type Client = {
  /** Below the organization. Sends until there is an answer that means something: a 2xx, or a 4xx of its own making. */
  ask(method: string, route: string, options?: { body?: unknown; key?: string }): Promise<Answer>
  /** The same, for text. */
  askText(method: string, route: string): Promise<string>
  /** One of the addresses, another one each time. */
  nextAddress(): string
  headers: Record<string, string>
  base: string
}

export type OpenClient = { addresses: string[]; token: string; journal: Journal; random: Random }

const answerMsMax = 15_000
/** Who judges is not as patient: an answer that takes so long is missed long before. */
const patienceMs = 30 * 60_000

/**
 * A program that uses the service as its documentation says: it knows several addresses, and sends again, with the same
 * Idempotency-Key, what was refused, cut off or answered with a 5xx.
 */
export function openClient({ addresses, token, journal, random }: OpenClient): Client {
  const base = '/v1/organizations/1'
  const headers = { authorization: `Bearer ${token}` }
  let turn = 0
  const nextAddress = () => addresses[turn++ % addresses.length]!

  async function askAt(address: string, method: string, route: string, body: unknown, key: string | undefined) {
    const response = await fetch(address + base + route, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMsMax),
    })
    const text = await response.text()
    return { status: response.status, isReplay: response.headers.has('idempotency-replayed'), text }
  }

  async function askUntilAnswered(method: string, route: string, options: { body?: unknown; key?: string } = {}) {
    const until = Date.now() + patienceMs
    const request = `${method} ${route.replace(/\?.*/, '')}`
    for (;;) {
      const address = nextAddress()
      const answer = await askAt(address, method, route, options.body, options.key).catch(
        (error: unknown) => error as Error,
      )
      const why = answer instanceof Error ? whyOf(answer) : whyAgain(answer)
      if (!(answer instanceof Error) && why === null) {
        journal.write({ kind: 'answered', address, request, status: answer.status, isReplay: answer.isReplay })
        return answer
      }
      journal.write({ kind: 'refused', address, request, why: why ?? '' })
      if (Date.now() > until) throw new Error(`${request} got no answer in ${patienceMs / 1_000} s: ${why}`)
      await sleep(random.between(100, 500))
    }
  }

  return {
    ask: async (method, route, options) => {
      const { text, ...answer } = await askUntilAnswered(method, route, options)
      return { ...answer, body: JSON.parse(text) as Record<string, unknown> }
    },
    askText: async (method, route) => (await askUntilAnswered(method, route)).text,
    nextAddress,
    headers,
    base,
  }
}

/** Why an answer is not the last word; null when it is. */
function whyAgain({ status, text }: { status: number; text: string }): string | null {
  // A request that arrived too slowly is as good as one that did not.
  if (status >= 500 || status === 408) return `${status} ${text.slice(0, 300)}`
  return status === 409 && text.includes('idempotency_in_progress') ? 'its first request is still at work' : null
}

function whyOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return cause ? (cause.code ?? cause.message) : error.message
}
