import { randomUUID } from 'node:crypto'
import type { ServerHttp2Stream } from 'node:http2'
import { text } from 'node:stream/consumers'
import { createWebSocketStream, WebSocket } from 'ws'
import { acceptSession } from '#adapters/sandboxes/remote/wire.ts'
import { connectPath } from '#process/remote/connection.ts'

const kernel = 'kernel'
const walls = { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel }

/** What a machine answers that is in order and has no sandboxes, by path. */
export const machineAnswers: Record<string, unknown> = {
  '/probe': { isolated: true, problems: [], notes: [], enforcement: walls },
  '/list': [],
  '/disk': null,
}

export type MachineOptions = {
  /** What it says of itself. */
  hello?: Record<string, unknown>
  /** What it answers; undefined: never. */
  say?: (path: string) => unknown
}
export type Machine = {
  name: string
  leave: () => void
  /** Each path that it was asked, with what came along. */
  asked: string[]
  /** Why its connection ended, or the status with which it was turned away. */
  ended: Promise<string>
}

/** Connects to a service as a remote worker's machine does, and answers what the test says. */
export function connectMachine(
  url: string,
  { token, hello = {}, say = (path) => machineAnswers[path] }: MachineOptions & { token: string },
): Machine {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${connectPath}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const asked: string[] = []
  const me = {
    protocol: 1,
    version: '0',
    name: `machine-${randomUUID()}`,
    place: randomUUID(),
    slots: 4,
    labels: [],
    provider: 'bubblewrap',
    enforcement: walls,
    ...hello,
  }
  const answer = async (stream: ServerHttp2Stream, path: string) => {
    asked.push(`${path} ${await text(stream)}`)
    const body = path === '/hello' ? me : say(path)
    if (body === undefined || stream.destroyed) return
    stream.respond({ ':status': 200 })
    stream.end(JSON.stringify(body))
  }
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.once('unexpected-response', (_, response) => {
      resolve(String(response.statusCode))
      socket.terminate()
    })
    socket.once('close', (_, reason) => resolve(reason.toString()))
  })
  let leave = () => socket.terminate()
  socket.once('open', () => {
    const connection = createWebSocketStream(socket)
    leave = () => void connection.destroy()
    acceptSession(connection).on('stream', (stream, headers) => {
      stream.on('error', () => {})
      void answer(stream, String(headers[':path'])).catch(() => {})
    })
  })
  return { name: me.name, leave: () => leave(), asked, ended }
}
