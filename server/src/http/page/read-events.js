// Reads a stream of our own server-sent events, each with its type and its data in one line.

/** Yields `[type, data]` until the stream ends. */
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = `${rest}${value}`.split('\n\n')
      rest = blocks.pop()
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        if (fields.has('event')) yield [fields.get('event'), JSON.parse(fields.get('data'))]
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
