import { KeptOutput } from '#base/text/kept-output.ts'
import { limits } from '#base/limits.ts'

export type CheckLogOptions = {
  /** Stores a piece, by its number from 1, and takes those in `dropped` away. */
  store: (piece: LogPiece) => Promise<unknown>
  onFault: (error: unknown) => void
  bytesMax?: number
  pieceBytes?: number
  waitMs?: number
}

export type LogPiece = { n: number; bytes: Uint8Array; dropped: { from: number; to: number } | null }

/**
 * What one attempt at a check prints, masked by whoever writes it: its first and its last half, as far as it is long. What
 * comes is stored as it comes, at the latest after a while, so that people read it meanwhile, and a worker that is killed
 * leaves it.
 */
export class CheckLog {
  readonly #options: Required<CheckLogOptions>
  readonly #whole: KeptOutput
  #waiting: KeptOutput
  #waitingBytes = 0
  #isAtLineStart = true
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> = Promise.resolve()
  /** Pieces of the second half that are stored now; those of the first stay. */
  #tail: { n: number; bytes: number }[] = []
  #headBytes = 0
  #n = 0

  constructor(options: CheckLogOptions) {
    const { bytesMax = limits.checkLogBytesMax / 2, pieceBytes = limits.checkLogPieceBytes } = options
    this.#options = { waitMs: limits.checkLogMs, ...options, bytesMax, pieceBytes }
    this.#whole = new KeptOutput(bytesMax)
    this.#waiting = new KeptOutput(bytesMax)
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#isAtLineStart = bytes.at(-1) === newLine
    this.#whole.append(bytes)
    this.#waiting.append(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= this.#options.pieceBytes) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), this.#options.waitMs)
  }

  writeLine(line: string): void {
    this.write(Buffer.from(`${this.#isAtLineStart ? '' : '\n'}${line}\n`))
  }

  /** As it would stand in a terminal. */
  writeCommand(command: string): void {
    this.writeLine(`$ ${command}`)
  }

  /** All of it, but for a middle that is said to be left out. */
  take(): Buffer {
    const text = withGap(this.#whole, this.#options.bytesMax)
    return this.#isAtLineStart ? text : Buffer.concat([text, Buffer.from('\n')])
  }

  /** Resolves when what has come until now is stored. Never rejects: what is lost of it the whole still has. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return (this.#storing = this.#storing.then(() => this.#store()))
  }

  async #store(): Promise<void> {
    if (this.#waitingBytes === 0) return
    const { bytesMax, store, onFault } = this.#options
    const bytes = withGap(this.#waiting, bytesMax)
    this.#waiting = new KeptOutput(bytesMax)
    this.#waitingBytes = 0
    const n = ++this.#n
    const dropped = this.#keep({ n, bytes: bytes.length })
    await Promise.resolve(store({ n, bytes, dropped })).catch(onFault)
  }

  /** Answers what gives way for it: the oldest of the second half, once that is full. */
  #keep(piece: { n: number; bytes: number }): LogPiece['dropped'] {
    const half = this.#options.bytesMax / 2
    if (this.#headBytes < half) {
      this.#headBytes += piece.bytes
      return null
    }
    this.#tail.push(piece)
    const from = this.#tail[0]!.n
    let bytes = this.#tail.reduce((sum, one) => sum + one.bytes, 0)
    while (bytes > half && this.#tail.length > 1) bytes -= this.#tail.shift()!.bytes
    const to = this.#tail[0]!.n - 1
    return to < from ? null : { from, to }
  }
}

const newLine = 10

function withGap(kept: KeptOutput, bytesMax: number): Buffer {
  const text = kept.take()
  if (kept.cutBytes === 0) return text
  const head = Math.ceil(bytesMax / 2)
  const gap = Buffer.from(`\n[${kept.cutBytes} bytes in the middle are left out]\n`)
  return Buffer.concat([text.subarray(0, head), gap, text.subarray(head)])
}
