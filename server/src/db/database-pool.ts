import pg from 'pg'
import { limits } from '#base/limits.ts'
import { DatabaseClient } from './database-client.ts'

type Acquired = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/** What PostgreSQL refuses to write, by its code. */
const refusals: Record<string, string> = {
  '25006': 'PostgreSQL takes no writes: it is read-only, or a standby.',
  '53100': 'The disk of PostgreSQL is full.',
}

/**
 * Connections of which only so many are waited for: where the database hangs, those who ask more are refused at once
 * rather than kept in memory. Knows why PostgreSQL refused to write a moment ago.
 */
export class DatabasePool extends pg.Pool {
  /** Told of each connection that could not be made, but for want of one that is free. */
  onRefused: (error: Error) => void = () => {}
  #refusal: { reason: string; at: number } | undefined

  constructor(config: pg.PoolConfig) {
    // The type of the option leaves out what the pool gives to each of them.
    super({ ...config, Client: DatabaseClient as unknown as new () => pg.ClientBase })
    this.on('connect', (client) => {
      const messages = client.connection as unknown as NodeJS.EventEmitter
      messages.on('errorMessage', (message: { code?: string }) => this.#note(message))
    })
  }

  /** A sentence while PostgreSQL refuses to write, as far as it was asked to in the last seconds. */
  get refusal(): string | undefined {
    const isRecent = this.#refusal && performance.now() - this.#refusal.at < limits.refusalKeptMs
    return isRecent ? this.#refusal?.reason : undefined
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Acquired): void
  override connect(callback?: Acquired): Promise<pg.PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)))
      })
    }
    if (this.waitingCount >= limits.databaseWaitersMax) {
      const crowded = new Error('Too many wait for a connection to PostgreSQL.')
      return callback(Object.assign(crowded, { code: '53300' }), undefined, () => {})
    }
    super.connect((error, client, done) => {
      if (error) this.#note(error)
      if (error && !/timeout exceeded when trying to connect/.test(error.message)) this.onRefused(error)
      callback(error, client, done)
    })
  }

  #note(error: object): void {
    const reason = refusals[(error as { code?: string }).code ?? '']
    if (reason) this.#refusal = { reason, at: performance.now() }
  }
}
