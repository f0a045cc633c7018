import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerChannel } from 'ssh2'
import { drained } from '#base/concurrency/drained.ts'
import { sshLimits } from './limits.ts'

const lookMs = 50

/**
 * Sends on one connection no faster than its client reads. The library takes all that a channel's window allows, which the
 * client names: into the socket's memory, and during a key exchange into a list of its own.
 */
export class SendPace {
  readonly #socket: Socket
  readonly #sentBefore: number
  #handedBytes = 0

  constructor(socket: Socket) {
    this.#socket = socket
    this.#sentBefore = socket.bytesWritten
  }

  /** What was handed over for channels so far. */
  get handedBytes(): number {
    return this.#handedBytes
  }

  /** Into a channel, which stays open when this is ended. `onSend` is called before each piece, and `onSent` when the next may come. */
  into(channel: ServerChannel, { onSend, onSent }: { onSend: () => void; onSent: () => void }): Writable {
    return new Writable({
      highWaterMark: sshLimits.unsentBytesMax,
      write: (chunk: Buffer, _, done) => {
        onSend()
        channel.write(chunk, () => {
          this.#handedBytes += chunk.length
          void this.#settled().then(() => {
            onSent()
            done()
          })
        })
      },
    })
  }

  async #settled(): Promise<void> {
    const socket = this.#socket
    while (!socket.destroyed) {
      if (socket.writableNeedDrain) await drained(socket)
      // Encrypted it is more, so what is missing waits in the library.
      else if (this.#handedBytes - (socket.bytesWritten - this.#sentBefore) > sshLimits.unsentBytesMax)
        await sleep(lookMs)
      else return
    }
  }
}
