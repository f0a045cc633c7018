import { Readable } from 'node:stream'
import { packetLine } from './packet-line.ts'
import type { PushHead } from './push-commands.ts'

/** What who pushes with options reads first: nothing here acts on one. Empty where there are none, or nobody would read it. */
export function noteOptions({ options, capabilities }: Pick<PushHead, 'options' | 'capabilities'>): Buffer {
  if (!options.length || !capabilities.has('side-band-64k')) return Buffer.alloc(0)
  // The stream's second band is for people.
  return packetLine(Buffer.concat([Buffer.from([2]), Buffer.from('Push options are ignored here.\n')]))
}

/** The answer of git's own program with the note before it, once there is an answer. */
export function withNote(note: Buffer, answer: Readable): Readable {
  if (!note.length) return answer
  async function* both() {
    let isFirst = true
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (isFirst) yield note
      isFirst = false
      yield chunk
    }
  }
  return Readable.from(both(), { objectMode: false })
}
