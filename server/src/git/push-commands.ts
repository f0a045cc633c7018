import { limits } from '#base/limits.ts'
import { Refusal } from './git-request.ts'
import { untilPackEnds } from './until-pack-ends.ts'

/** One ref that a push wants to move; all zeros stand for none. */
export type PushCommand = { old: string; new: string; ref: string }

export type PushHead = {
  commands: PushCommand[]
  /** What the client understands, such as `side-band-64k`. */
  capabilities: Set<string>
  /** What `git push -o` was given. */
  options: string[]
  /** The whole body again, from its first byte; or only what follows the commands. One of them can be read, once. */
  body: AsyncIterable<Buffer>
  pack: AsyncIterable<Buffer>
}

/**
 * Reads which refs a push wants to move: they stand before the pack, so a push can be refused ref by ref, with a reason,
 * before git sees it. Throws a `Refusal` for what is not of that form. `isOpenEnded`: the sender may keep the body
 * open until it is answered.
 */
export async function readPushHead(
  body: AsyncIterable<Buffer>,
  { isOpenEnded = false }: { isOpenEnded?: boolean } = {},
): Promise<PushHead> {
  const reader = openReader(body)
  const commands: PushCommand[] = []
  let capabilities = new Set<string>()
  for (;;) {
    const line = await reader.readPacket()
    if (line === null) break
    // Where the client's own history is cut; git reads it again.
    if (/^shallow [0-9a-f]{40}\n?$/.test(line)) continue
    const [text, offered] = commands.length ? [line, ''] : splitOnce(line, '\0')
    if (!commands.length) capabilities = new Set(offered.trim().split(' '))
    commands.push(parseCommand(text))
  }
  const options: string[] = []
  while (capabilities.has('push-options')) {
    const option = await reader.readPacket()
    if (option === null) break
    options.push(option.replace(/\n$/, ''))
  }
  const head = { commands, capabilities, options }
  if (!isOpenEnded) return { ...head, body: reader.replay(), pack: reader.rest() }
  const pack = commands.every(isDeletion) ? nothing() : untilPackEnds(reader.rest())
  return { ...head, body: joined(reader.taken(), pack), pack }
}

export const isDeletion = (command: PushCommand) => isNothing(command.new)

/** What stands for no commit. */
export const isNothing = (commit: string) => /^0+$/.test(commit)

function parseCommand(text: string): PushCommand {
  const found = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\s\0]+)\n?$/.exec(text)
  if (!found) throw new Refusal(400, 'The push is not of the form that is understood here.')
  return { old: found[1] as string, new: found[2] as string, ref: found[3] as string }
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function openReader(body: AsyncIterable<Buffer>) {
  const chunks = body[Symbol.asyncIterator]()
  const seen: Buffer[] = []
  let unread: Buffer[] = []
  let [unreadBytes, seenBytes] = [0, 0]

  async function take(count: number): Promise<Buffer> {
    while (unreadBytes < count) {
      const next = await chunks.next()
      if (next.done) throw new Refusal(400, 'The push ends too early.')
      seenBytes += next.value.length
      if (seenBytes - unreadBytes > limits.gitCommandsBytesMax) throw new Refusal(413, 'The push names too many refs.')
      seen.push(next.value)
      unread.push(next.value)
      unreadBytes += next.value.length
    }
    const joined = unread.length === 1 ? (unread[0] as Buffer) : Buffer.concat(unread)
    unread = [joined.subarray(count)]
    unreadBytes -= count
    return joined.subarray(0, count)
  }

  /** The payload of the next packet; null for the flush that ends the list. */
  async function readPacket(): Promise<string | null> {
    const digits = (await take(4)).toString('latin1')
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 1
    if (length === 0) return null
    if (length <= 4) throw new Refusal(400, 'The push is not of the form that is understood here.')
    return (await take(length - 4)).toString()
  }

  /** What was read already and is wanted still, and then the rest. */
  async function* goOn(first: Buffer[]): AsyncGenerator<Buffer> {
    yield* first.splice(0)
    for (;;) {
      const next = await chunks.next()
      if (next.done) return
      yield next.value
    }
  }
  /** What has been read as packets. */
  const taken = () => Buffer.concat(seen).subarray(0, seenBytes - unreadBytes)
  return { taken, readPacket, replay: () => goOn(seen), rest: () => goOn(unread) }
}
