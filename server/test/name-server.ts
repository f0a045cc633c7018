import { createSocket, type RemoteInfo } from 'node:dgram'
import { after } from 'node:test'

/** What a name means: its addresses, none, or no answer at all. */
type Meaning = string[] | 'silent'

export type NameServer = {
  /** As `RUNWRIGHT_NAME_SERVERS` takes it. */
  address: string
  /** Every question, as `name` or `name AAAA`, in the order in which they came. */
  asked: string[]
}

/** A name server on loopback: answers what it is told to by `meaningOf`, and keeps silent where it is told that. */
export async function startNameServer(
  meaningOf: (name: string) => Meaning,
  { seconds = 1, defer = after }: { seconds?: number; defer?: (cleanUp: () => void) => void } = {},
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const { name, kind, end } = readQuestion(question)
    asked.push(kind === kindSix ? `${name} AAAA` : name)
    const meaning = meaningOf(name)
    if (meaning !== 'silent') answer({ question: question.subarray(0, end), meaning, kind, seconds, from })
  })
  function answer({ question, meaning, kind, seconds, from }: Answering): void {
    const request = meaning.filter((address) => address.includes(':') === (kind === kindSix))
    const head = Buffer.from(question)
    head.writeUInt16BE(0x8180 | (meaning.length ? 0 : 3), 2)
    for (const [at, count] of [1, request.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * at)
    const records = request.map((address) => recordOf(address, kind, seconds))
    socket.send(Buffer.concat([head, ...records]), from.port, from.address)
  }
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  defer(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

type Answering = { question: Buffer; meaning: string[]; kind: number; seconds: number; from: RemoteInfo }

const [kindFour, kindSix] = [1, 28]

function readQuestion(packet: Buffer): { name: string; kind: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at]!; length > 0; length = packet[at]!) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), kind: packet.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(address: string, kind: number, seconds: number): Buffer {
  const bytes = kind === kindFour ? Buffer.from(address.split('.').map(Number)) : bytesOfSix(address)
  const head = Buffer.alloc(12)
  // The name is that of the question.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(kind, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(seconds, 6)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

/** Of an address that is written with `::` once. */
function bytesOfSix(address: string): Buffer {
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
