/** One server-sent event. */
export type ServerEvent = { event: string; id: string | null; data: string }

/** Nothing came for too long, not even a word that there is nothing to say. */
export class StreamSilent extends Error {
  override readonly name = 'StreamSilent'
}

/** Reads a body as server-sent events, as the HTML standard has it. Throws `StreamSilent`. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { silenceMsMax }: { silenceMsMax: number },
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let id: string | null = null
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, silenceMsMax)
      if (done) return
      // A carriage return at the very end may be half of a line's end: it waits for what follows.
      const lines = `${rest}${decoder.decode(value, { stream: true })}`.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') {
          if (data.length) yield { event: event || 'message', id, data: data.join('\n') }
          event = ''
          data = []
          continue
        }
        const [name, text] = fieldOf(line)
        if (name === 'event') event = text
        else if (name === 'data') data.push(text)
        else if (name === 'id' && !text.includes('\0')) id = text
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A line that begins with a colon is a comment, and so a field without a name. */
function fieldOf(line: string): [name: string, text: string] {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function readInTime(reader: Reader, ms: number): Promise<Awaited<ReturnType<Reader['read']>>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamSilent('The stream fell silent.')), ms)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
