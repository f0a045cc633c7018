import { StringDecoder } from 'node:string_decoder'
import type { App } from '#app/app.ts'
import { liveLimits } from '#base/live-limits.ts'
import type { MaskedStream } from '#base/redaction/masked-stream.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'
import type { LivePlace, LiveText, TextKind, ToolShown } from '#domain/runs/logs/live.ts'

export type ShowLive = {
  /** A step runs from now on, with a tool or without. */
  begin(place: LivePlace, tool: ToolShown | null): void
  /** Null takes back what was written of this kind. `isBetween`: also where no step runs, until the next one does. */
  write(kind: TextKind, piece: string | null, options?: { isBetween?: boolean }): void
  /** The step has ended; `lastSeq` is the last entry of the log, where that is known. */
  end(lastSeq: number | undefined, now: Date): void
}

type Text = {
  kind: TextKind
  stream: MaskedStream
  decoder: StringDecoder
  /** The first half of a character of which the second has not come. */
  half: string
  /** What has left the redactor, and how much of that was sent. */
  whole: string
  sent: number
  sentAgainAt: number
}

/**
 * Shows those who follow a run which tool starts, and what is being written, in pieces. Secrets are taken out over the
 * pieces. What the redactor still holds is shown as far as it does not look like one; the next piece begins before it.
 */
export function showLive(
  { notifier }: Pick<App, 'notifier'>,
  { redactor }: { redactor: Pick<Redactor, 'openStream'> },
): ShowLive {
  let place: LivePlace | undefined
  /** Where the next step will be. */
  let next: LivePlace | undefined
  let tool: ToolShown | null = null
  let text: Text | undefined
  let timer: NodeJS.Timeout | undefined
  const say = (piece: LiveText) => notifier.notifyLive({ type: 'text', ...piece })
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    if (place && text) for (const piece of piecesOf(text)) say({ ...place, ...piece, isDone: false })
  }
  const endText = (at: LivePlace) => {
    if (!text) return
    hear(text, text.stream.end())
    send()
    say({ ...at, kind: text.kind, at: text.whole.length, text: '', isDone: true })
    text = undefined
  }
  return {
    begin: (at, shown) => {
      if (place) endText(place)
      place = at
      tool = shown
      if (tool) notifier.notifyLive({ type: 'tool', ...at, ...tool, endedAt: null })
    },
    write: (kind, piece, { isBetween = false } = {}) => {
      if (isBetween) place ??= next
      if (!place) return
      if (piece === null) {
        if (text?.kind !== kind) return
        clearTimeout(timer)
        timer = text = undefined
        return say({ ...place, kind, at: 0, text: '', isDone: true })
      }
      if (text && text.kind !== kind) endText(place)
      text ??= {
        kind,
        stream: redactor.openStream(),
        decoder: new StringDecoder(),
        half: '',
        whole: '',
        sent: 0,
        sentAgainAt: performance.now(),
      }
      const written = text.half + piece
      text.half = /[\ud800-\udbff]$/.exec(written)?.[0] ?? ''
      hear(text, text.stream.write(Buffer.from(written.slice(0, written.length - text.half.length))))
      timer ??= setTimeout(send, liveLimits.textPieceMs)
    },
    end: (lastSeq, now) => {
      if (!place) return
      const at = { ...place, afterSeq: lastSeq ?? place.afterSeq }
      endText(at)
      if (tool) notifier.notifyLive({ type: 'tool', ...at, ...tool, endedAt: now.toISOString() })
      next = { ...at, step: at.step + 1 }
      place = undefined
      tool = null
    },
  }
}

function hear(text: Text, bytes: Buffer): void {
  if (text.whole.length < liveLimits.textCharactersMax) text.whole += text.decoder.write(bytes)
}

/** What has come since the last pieces; now and then with the text before it, for those who have missed some. */
function piecesOf(text: Text): { kind: TextKind; at: number; text: string }[] {
  const { kind, whole, sent, stream } = text
  const { pieceCharactersMax } = liveLimits
  const isAgain = performance.now() - text.sentAgainAt >= liveLimits.textAgainMs
  if (isAgain) text.sentAgainAt = performance.now()
  const from = isAgain ? Math.max(0, Math.min(sent, whole.length - pieceCharactersMax)) : sent
  const isFull = whole.length >= liveLimits.textCharactersMax
  if (isFull && sent === whole.length) return []
  // The first and the last character may be cut through.
  const held = isFull
    ? ''
    : trimTrailing(
        stream
          .peek()
          .toString()
          .replace(/^\ufffd+/, ''),
        '\ufffd',
      )
  const shown = whole.slice(from) + held
  text.sent = whole.length
  const count = Math.max(1, Math.ceil(shown.length / pieceCharactersMax))
  return Array.from({ length: count }, (_, n) => {
    const at = n * pieceCharactersMax
    return { kind, at: from + at, text: shown.slice(at, at + pieceCharactersMax) }
  })
}
