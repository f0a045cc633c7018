export type StreamEvent = { event: string; id: number | null; data: Record<string, unknown> }

export type OpenStream = {
  status: number
  headers: Headers
  /** The body, where it is no stream. */
  text: () => Promise<string>
  /** The next event; undefined when the stream has closed or broke off. */
  next: () => Promise<StreamEvent | undefined>
  /** Events until one is of this type, that one included. */
  until: (event: string) => Promise<StreamEvent[]>
  close: () => void
}

/** Opens a stream of server-sent events as a program does, and reads it event by event. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const blocks: string[] = []
  let rest = ''
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const block = blocks.shift()
      const parsed = block === undefined ? undefined : parse(block)
      if (parsed) return parsed
      if (block !== undefined) continue
      const read = await reader?.read().catch(() => undefined)
      if (!read || read.done) return undefined
      const parts = `${rest}${decoder.decode(read.value, { stream: true })}`.split('\n\n')
      rest = parts.pop() ?? ''
      blocks.push(...parts)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    text: () => {
      reader?.releaseLock()
      return response.text()
    },
    next,
    until: async (event) => {
      const events: StreamEvent[] = []
      for (;;) {
        const one = await next()
        if (!one) throw new Error(`the stream ended before "${event}": ${JSON.stringify(events.slice(-3))}`)
        events.push(one)
        if (one.event === event) return events
      }
    },
    close: () => stop.abort(),
  }
}

/** The data is parsed when it is looked at: some tests read a million events and look at few. */
function parse(block: string): StreamEvent | undefined {
  const event = /^event: (.*)$/m.exec(block)?.[1]
  const text = /^data: (.*)$/m.exec(block)?.[1]
  if (event === undefined || text === undefined) return undefined
  const id = /^id: (.*)$/m.exec(block)?.[1]
  let data: Record<string, unknown> | undefined
  return {
    event,
    id: id === undefined ? null : Number(id),
    get data() {
      return (data ??= JSON.parse(text) as Record<string, unknown>)
    },
  }
}
