import { EventEmitter } from 'node:events'
import { PassThrough, type Duplex, type Readable, type Writable } from 'node:stream'
import type { MainProcess } from './local-sandbox.ts'

/** The main process of a sandbox elsewhere, as the stream of its exec agent. */
export class StreamProcess extends EventEmitter implements MainProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr = new PassThrough()
  readonly #stream: Duplex & { unref?(): void }

  /** `onEnded` finds out why before anybody hears of its end. */
  constructor(stream: Duplex, onEnded: () => Promise<void>) {
    super()
    this.#stream = stream
    this.stdin = stream
    this.stdout = stream
    stream.once('end', () => stream.destroy())
    stream.once('close', () => {
      void onEnded().finally(() => {
        this.emit('exit')
        this.stderr.end()
        this.emit('close')
      })
    })
  }

  get stdio(): readonly (Readable | Writable)[] {
    return [this.#stream, this.stderr]
  }

  unref(): void {
    this.#stream.unref?.()
  }
}
