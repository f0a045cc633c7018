import pg from 'pg'
import { addressOf, type Address } from './address.ts'

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type ServerMessage = { parameterName?: string; parameterValue?: string; code?: string }

const readOnlyCode = '25006'
/** What a server says of itself as a connection begins, and again when it changes; since PostgreSQL 14. */
const signsOfReadOnly = new Set(['in_hot_standby', 'default_transaction_read_only'])

/**
 * A connection to the database where it is now, which is dialed anew for each. A server that takes no writes, such as the
 * primary of a moment ago, is none that we can use: it is refused, and left as soon as it becomes one, so that whoever
 * needs a connection then looks for the server that does.
 */
export class DatabaseClient extends pg.Client {
  readonly #address: Address
  readonly #readOnly = new Set<string>()
  #isConnected = false

  constructor(config: pg.ClientConfig) {
    const address = addressOf(config.connectionString ?? '')
    super({ ...config, connectionString: address.url })
    this.#address = address
    // Without it, one that is ended in the moment in which it stands ends the process: nobody else can listen by then.
    this.on('error', () => {})
    const messages = this.connection as unknown as NodeJS.EventEmitter
    messages.on('parameterStatus', (message: ServerMessage) => this.#note(message))
    messages.on('errorMessage', ({ code }: ServerMessage) => {
      if (code === readOnlyCode) this.#leave()
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connecting = super.connect().then(
      () => {
        this.#isConnected = true
        if (this.#readOnly.size) throw this.#refuse()
        return this
      },
      (error: unknown) => {
        this.#address.avoid()
        throw error
      },
    )
    if (!callback) return connecting
    connecting.then(
      () => (callback as (error: null, client: pg.Client) => void)(null, this),
      (error: Error) => (callback as (error: Error) => void)(error),
    )
  }

  #note({ parameterName = '', parameterValue }: ServerMessage): void {
    if (!signsOfReadOnly.has(parameterName)) return
    if (parameterValue === 'on') this.#readOnly.add(parameterName)
    else this.#readOnly.delete(parameterName)
    if (this.#isConnected && this.#readOnly.size) this.#leave()
  }

  #refuse(): Error {
    this.#address.avoid()
    this.#end()
    return Object.assign(new Error('PostgreSQL takes no writes: it is read-only, or a standby.'), {
      code: readOnlyCode,
    })
  }

  /** After whoever asks has heard why. */
  #leave(): void {
    this.#address.avoid()
    setImmediate(() => this.#end())
  }

  #end(): void {
    this.end().catch(() => {})
  }
}
