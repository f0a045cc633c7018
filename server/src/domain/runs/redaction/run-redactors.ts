import { createHash } from 'node:crypto'
import type { OwnProviders } from '#base/models/own-provider.ts'
import { openRedactor, type KnownSecret, type OnCanary, type Redactor } from '#base/redaction/redactor.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { openModelProviders } from '#domain/repos/model-providers/open-model-providers.ts'
import { listRepoSecrets } from '#domain/repos/secrets/list-repo-secrets.ts'
import { listRunSecrets } from './list-run-secrets.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { makeCanary, type Canary } from './canary.ts'

export type RunRedactorsOptions = {
  db: Db
  secretBox: SecretBox
  /** Secrets of the service itself, of which no run ever sees one. */
  own: KnownSecret[]
  /** What canaries are drawn from; those of the first are laid, those of all are known. None: none are laid. */
  canaryKeys: Buffer[]
}

type RepoIds = { organizationId: number; repoId: number }

/** Of how many runs and repositories that were read last the redactors are kept. */
const readKept = 32

/** Until it is disposed of; `secrets` are those that it knows, and the only ones that the run may be given. */
export type OpenRedactor = Disposable & { redactor: Redactor; secrets: readonly RunSecret[] }

/** With the values of the keys of model providers that it knows, and the providers as they were read last. */
type Held = { redactor: Redactor; keys: Set<string>; last?: { version: string; providers: OwnProviders } }

/** What takes the secrets of a run out of all that is shown of it: the service's own, those it may see, the keys of its organization's
 *  model providers, its canary. */
export class RunRedactors {
  /** Where no run is at work: it knows the service's own secrets. */
  readonly own: Redactor
  readonly #options: RunRedactorsOptions
  readonly #open = new Map<string, Held>()
  readonly #read = new Map<string, { digest: string; redactor: Promise<Redactor> }>()

  constructor(options: RunRedactorsOptions) {
    this.#options = options
    this.own = openRedactor(options.own)
  }

  /** For who holds a run, with its secrets as they are now. Others in this process find it by the lease, until it ends. */
  async open(holder: Holder, onCanary: OnCanary): Promise<OpenRedactor> {
    const opened = await this.#hold(holder.leaseId, await this.#secretsOf(holder), onCanary)
    try {
      await this.openProviders(holder)
      return opened
    } catch (error) {
      opened[Symbol.dispose]()
      throw error
    }
  }

  /** For who works in a repository without a run, such as at a check, with the repository's secrets as they are now. */
  async openRepo({ leaseId, ...repo }: RepoIds & { leaseId: string }): Promise<OpenRedactor> {
    return this.#hold(leaseId, await this.#secretsOfRepo(repo))
  }

  of({ leaseId }: Pick<Holder, 'leaseId'>): Redactor {
    return this.#open.get(leaseId)?.redactor ?? this.own
  }

  /** For who reads of a run, whoever holds it. */
  async read(run: RunIds): Promise<Redactor> {
    const { items } = await this.#providersOf(run)
    const secrets = [...(await this.#secretsOf(run)), ...keysOf(items), ...(this.canary(run)?.secrets ?? [])]
    return this.#remember(`run ${run.organizationId}/${run.runId}`, secrets)
  }

  /** For who reads of a repository what runs in it would be shown. */
  async readRepo(repo: RepoIds): Promise<Redactor> {
    return this.#remember(`repository ${repo.organizationId}/${repo.repoId}`, await this.#secretsOfRepo(repo))
  }

  /** Learning takes milliseconds for each secret: the last redactors are kept for as long as the secrets are the same. */
  #remember(key: string, secrets: KnownSecret[]): Promise<Redactor> {
    const digest = createHash('sha256').update(JSON.stringify(secrets)).digest('base64')
    const known = this.#read.get(key)
    this.#read.delete(key)
    const entry = known?.digest === digest ? known : { digest, redactor: this.#learned(secrets) }
    this.#read.set(key, entry)
    for (const oldest of this.#read.keys()) if (this.#read.size > readKept) this.#read.delete(oldest)
    return entry.redactor
  }

  async #learned(secrets: KnownSecret[]): Promise<Redactor> {
    const redactor = this.own.fork()
    await redactor.learn(secrets)
    return redactor
  }

  canary(run: RunIds): Canary | null {
    const [canary, ...others] = this.#options.canaryKeys.map((key) => makeCanary(key, run))
    return canary ? { ...canary, secrets: [canary, ...others].flatMap(({ secrets }) => secrets) } : null
  }

  /** For a run that is held here: what it is about to be given is known from now on. */
  async learn({ leaseId }: Pick<Holder, 'leaseId'>, secrets: KnownSecret[]): Promise<void> {
    await this.#open.get(leaseId)?.redactor.learn(secrets)
  }

  /**
   * The model providers of the organization of a run, for who asks models for it. Their keys are known from then on. With a `version`
   * they are read only where the last ones that were read with it have another.
   */
  async openProviders(holder: Holder, version?: string): Promise<OwnProviders> {
    const held = this.#open.get(holder.leaseId)
    if (version !== undefined && held?.last?.version === version) return held.last.providers
    const providers = await this.#providersOf(holder)
    const unknown = held ? keysOf(providers.items).filter(({ value }) => !held.keys.has(value)) : []
    await held?.redactor.learn(unknown)
    for (const { value } of unknown) held?.keys.add(value)
    if (held && version !== undefined) held.last = { version, providers }
    return providers
  }

  async #hold(leaseId: string, secrets: RunSecret[], onCanary?: OnCanary): Promise<OpenRedactor> {
    const redactor = this.own.fork(onCanary)
    await redactor.learn(secrets)
    this.#open.set(leaseId, { redactor, keys: new Set() })
    return { redactor, secrets, [Symbol.dispose]: () => void this.#open.delete(leaseId) }
  }

  #secretsOfRepo(repo: RepoIds): Promise<RunSecret[]> {
    const { db, secretBox } = this.#options
    return listRepoSecrets(db, secretBox, repo)
  }

  #providersOf({ organizationId, runId }: RunIds): Promise<OwnProviders> {
    const { db, secretBox } = this.#options
    return openModelProviders(db, secretBox, { organizationId, runId })
  }

  #secretsOf(run: RunIds): Promise<RunSecret[]> {
    const { db, secretBox } = this.#options
    return listRunSecrets(db, secretBox, run)
  }
}

const keysOf = (providers: OwnProviders['items']): KnownSecret[] =>
  providers.flatMap(({ name, apiKey }) => (apiKey ? [{ name: `model provider ${name}`, value: apiKey.reveal() }] : []))
