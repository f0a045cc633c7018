import { isIP } from 'node:net'
import type { App } from '#app/app.ts'
import { Batcher } from '#base/concurrency/batcher.ts'
import { parseHostName } from '#base/network/host-name.ts'
import { limits } from '#base/limits.ts'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { HostRefused, resolveHost } from '#base/network/resolve-host.ts'
import type { EgressReason, EgressRequest } from '#domain/repos/egress/egress.ts'
import { finishEgress, type EgressEnd } from '#domain/runs/egress/finish-egress.ts'
import { listRules } from '#domain/runs/egress/list-rules.ts'
import { recordEgress } from '#domain/runs/egress/record-egress.ts'
import { checkRules, type Rule } from '#domain/repos/egress/rule.ts'
import { recordedAs, type ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { LeaseLost } from '#domain/runs/holder.ts'

/** Where a program wants to go, as it says so. */
export type Target = { host: string; port: number }
/** Where it may go: only to these addresses. */
export type Found = { name: string; port: number; addresses: string[] }
/** What an allowed request has carried in the end; `reason` where it came to nothing. */
export type Carried = { sentBytes: number; receivedBytes: number; reason?: EgressReason }

export type EgressApp = Pick<App, 'pool' | 'config' | 'logger'> & {
  redactors: Pick<App['redactors'], 'of'>
  names: Pick<App['names'], 'lookup'>
}
/** How long a connection may take: to be made, to begin with TLS, and without a word of either side. */
export type Patience = { dialMs: number; helloMs: number; idleMs: number }
export type EgressOptions = {
  holder: ProxyHolder
  /** As `limits` says when left out. */
  patience?: Patience | undefined
}

/**
 * Decides for one sandbox what may leave it, and records each decision before anything is done about it: what could not
 * be recorded does not happen. So a worker that has lost the run reaches nothing for it any more.
 */
export class EgressPolicy implements AsyncDisposable {
  readonly patience: Patience
  readonly #app: EgressApp
  readonly #options: EgressOptions
  readonly #readRules: () => Promise<Rule[]>
  readonly #requests: Batcher<EgressRequest, number | null>
  readonly #ends: Batcher<EgressEnd, null>
  readonly #carrying = new Set<Promise<void>>()

  constructor(app: EgressApp, options: EgressOptions) {
    const { holder } = options
    this.#app = app
    this.#options = options
    this.patience = options.patience ?? {
      dialMs: limits.dialMs,
      helloMs: limits.helloMs,
      idleMs: limits.proxyIdleMs,
    }
    this.#readRules = memoizeFor(limits.egressRulesMs, () => listRules(app.pool, holder))
    const together = { underWayMax: 1, togetherMax: limits.proxyConnectionsMax }
    this.#requests = new Batcher({
      ...together,
      ask: (requests) => recordEgress(app.pool, { holder, requests }),
    })
    this.#ends = new Batcher({
      ...together,
      ask: async (ends) => {
        await finishEgress(app.pool, { holder, ends })
        return ends.map(() => null)
      },
    })
  }

  /** Whether a program may go there, and by which addresses. A refusal is recorded. */
  async check(target: Target): Promise<Found | EgressReason> {
    const found = await this.#find(target)
    return typeof found === 'string' ? this.refuse(target, found) : found
  }

  /** Records that it may not. */
  async refuse({ host, port }: Target, reason: EgressReason): Promise<EgressReason> {
    const isRecorded = await this.#record({ name: this.#shown(host), port, isAllowed: false, reason })
    return isRecorded ? reason : 'run_not_held'
  }

  /** Records that it may; what it is given in return is told when all is carried. */
  async pass({ name, port }: Found): Promise<((carried: Carried) => void) | EgressReason> {
    const recorded = await this.#record({ name: this.#shown(name), port, isAllowed: true, reason: null })
    if (!recorded) return 'run_not_held'
    const { n } = recorded
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#carrying.add(promise)
    void promise.finally(() => this.#carrying.delete(promise))
    return (carried) => resolve(n === null ? undefined : this.#end({ reason: null, ...carried, n }))
  }

  /** Resolves when all that was let through has ended and is recorded. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#carrying)
  }

  async #find({ host, port }: Target): Promise<Found | EgressReason> {
    if (isIP(host.replace(/^\[|\]$/g, '')) || /^[\d.]+$|^0x[\da-f.x]*$/i.test(host)) return 'address_literal'
    const name = parseHostName(host)
    if (name === undefined) return 'malformed_name'
    const verdict = checkRules(await this.#readRules(), { name, port })
    if (verdict !== 'allowed') return verdict
    const { privateHosts } = this.#app.config
    const { lookup } = this.#app.names
    const asker = this.#options.holder.organizationId
    try {
      return { name, port, addresses: await resolveHost({ host: name, port, privateHosts, asker, lookup }) }
    } catch (error) {
      if (!(error instanceof HostRefused)) throw error
      return error.why === 'not_found' ? 'not_found' : 'private_address'
    }
  }

  /** Undefined when the run is not held any more. */
  async #record(request: EgressRequest): Promise<{ n: number | null } | undefined> {
    try {
      return { n: await this.#requests.ask(request) }
    } catch (error) {
      if (error instanceof LeaseLost) return undefined
      throw error
    }
  }

  async #end(end: EgressEnd): Promise<void> {
    try {
      await this.#ends.ask(end)
    } catch (error) {
      const { column, id } = recordedAs(this.#options.holder)
      this.#app.logger.debug({ err: error, [column]: id }, 'could not record network usage')
    }
  }

  /** A name may be chosen to carry a secret out; it is not to be read here either. */
  #shown(host: string): string {
    const masked = this.#app.redactors.of(this.#options.holder).mask(host)
    const name = masked === host ? host.toLowerCase() : masked
    return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 253)
  }
}
