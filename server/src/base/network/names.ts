import { lookup as lookUpInSystem } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { parseHostName } from './host-name.ts'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { askNameServers, type Answer } from './ask-name-servers.ts'
import { readHostsFile } from './read-hosts-file.ts'
import { candidatesOf, readSearch } from './read-search.ts'
import { Shares } from './shares.ts'
import { nameLimits } from './limits.ts'

/** Who wants to know: an organization by its id; null where the operator has named the host. */
export type Asker = number | null

export type NamesOptions = {
  /** Name servers instead of the system's, as `address` or `address:port`. */
  servers?: readonly string[]
  hostsFile?: string
  resolverFile?: string
  /** How long one lookup may take in all; as `limits` says when left out. */
  patienceMs?: number
  nowMs?: () => number
}

/** One question to name servers, and how many wait for its answer. */
type Asking = { answer: Promise<Answer>; waiting: number; stop: () => void }

/** All addresses of a name; none where it has none. Rejects when that cannot be known in time. */
export type Lookup = (name: string, asker: Asker) => Promise<string[]>

/**
 * The addresses of names. The system's own way keeps a thread for each name that is slow, and has few of them; here nothing
 * waits but sockets, and each organization has a share of its own: slow names of one keep nobody else waiting. Names are
 * looked for in `/etc/hosts`, and then asked of the name servers, completed by the system's search domains.
 */
export class Names {
  readonly #servers: readonly string[]
  readonly #patienceMs: number
  readonly #nowMs: () => number
  readonly #readHosts: () => Promise<Map<string, string[]>>
  readonly #readSearch: () => Promise<ReturnType<typeof readSearch>>
  readonly #shares = new Shares<Asker>({
    atOnceMax: nameLimits.lookupsMax,
    eachMax: nameLimits.lookupsEachMax,
    waitingMax: nameLimits.lookupsWaitingMax,
  })
  readonly #asking = new Map<string, Asking>()
  readonly #known = new Map<string, { addresses: string[]; untilMs: number }>()

  constructor(options: NamesOptions = {}) {
    const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = options
    const { servers = [], patienceMs = nameLimits.lookupMs, nowMs = () => performance.now() } = options
    this.#servers = servers
    this.#patienceMs = patienceMs
    this.#nowMs = nowMs
    const text = (file: string) => readFile(file, 'utf8').catch(() => '')
    this.#readHosts = memoizeFor(nameLimits.hostsFileMs, async () => readHostsFile(await text(hostsFile)))
    this.#readSearch = memoizeFor(nameLimits.hostsFileMs, async () => readSearch(await text(resolverFile)))
  }

  /** Lookups that name servers are asked for now. */
  get underWay(): number {
    return this.#shares.underWay
  }

  /** Those of IPv4 come first. */
  readonly lookup: Lookup = async (name, asker) => {
    if (isIP(name)) return [name]
    const plain = parseHostName(name)
    if (plain === undefined) return oddAddress(name)
    const own = (await this.#readHosts()).get(plain)
    if (own) return own
    if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const signal = AbortSignal.timeout(this.#patienceMs)
    for (const candidate of candidatesOf(name.endsWith('.') ? `${plain}.` : plain, await this.#readSearch())) {
      const addresses = this.#remembered(candidate) ?? (await this.#ask(candidate, { asker, signal }))
      if (addresses.length) return addresses
    }
    // What an operator names may be known to the system in other ways; that takes a thread, so nobody else's names may.
    return asker === null ? inSystem(plain) : []
  }

  /** For `lookup` of Node's connections to hosts that the operator has named. */
  readonly dial: LookupFunction = (name, { all, family }, answer) => {
    this.lookup(name, null).then(
      (found) => {
        const ofFamily = family === 4 || family === 6 ? found.filter((one) => isIPv6(one) === (family === 6)) : found
        const addresses = ofFamily.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        const [first] = addresses
        if (!first) answer(notFound(name), '')
        else if (all) answer(null, addresses)
        else answer(null, first.address, first.family)
      },
      (error: unknown) => answer(error as NodeJS.ErrnoException, ''),
    )
  }

  #remembered(name: string): string[] | undefined {
    const known = this.#known.get(name)
    if (known && known.untilMs > this.#nowMs()) return known.addresses
    this.#known.delete(name)
    return undefined
  }

  /** Whoever asks what is being asked already waits for the same answer, within their own time. */
  async #ask(name: string, { asker, signal }: { asker: Asker; signal: AbortSignal }): Promise<string[]> {
    return this.#shares.run(asker, signal, async () => {
      const asking = this.#asking.get(name) ?? this.#begin(name)
      asking.waiting++
      const { promise, reject } = Promise.withResolvers<never>()
      const giveUp = () => reject(new Error('the name servers did not answer in time'))
      signal.addEventListener('abort', giveUp, { once: true })
      try {
        return (await Promise.race([asking.answer, promise])).addresses
      } finally {
        signal.removeEventListener('abort', giveUp)
        // A question for whose answer nobody waits is asked no longer.
        if (--asking.waiting === 0) asking.stop()
      }
    })
  }

  #begin(name: string): Asking {
    const stopping = new AbortController()
    const answer = askNameServers(name, { servers: this.#servers, signal: stopping.signal })
    const stop = () => {
      if (this.#asking.get(name) === asking) this.#asking.delete(name)
      stopping.abort()
    }
    const asking: Asking = { answer, waiting: 0, stop }
    this.#asking.set(name, asking)
    answer.then(
      (known) => this.#keep(name, known),
      () => {},
    )
    return asking
  }

  /** That there is none is kept for a moment; that nobody answered is not. */
  #keep(name: string, { addresses, seconds }: Answer): void {
    const forMs = addresses.length
      ? Math.min(Math.max(seconds * 1_000, nameLimits.nameKeptMsMin), nameLimits.nameKeptMsMax)
      : nameLimits.noNameKeptMs
    this.#known.set(name, { addresses, untilMs: this.#nowMs() + forMs })
    const oldest = this.#known.keys().next()
    if (this.#known.size > nameLimits.namesKeptMax && !oldest.done) this.#known.delete(oldest.value)
  }
}

/** An address in a spelling of old, such as `127.1` or `0x7f000001`. */
function oddAddress(text: string): string[] {
  const host = /^[\w.]+$/.test(text) ? URL.parse(`http://${text}`)?.hostname : undefined
  return host !== undefined && isIP(host) ? [host] : []
}

const notFound = (name: string) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: name,
  })

async function inSystem(name: string): Promise<string[]> {
  const found = await lookUpInSystem(name, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
