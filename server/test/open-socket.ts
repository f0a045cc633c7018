import net from 'node:net'

export type OpenSocket = {
  socket: net.Socket
  /** All that came, once the server has closed the connection. */
  closed: Promise<string>
  /** All that has come so far, once it matches. */
  until: (pattern: RegExp) => Promise<string>
}

/** A bare connection, for what no HTTP client would send. */
export function openSocket(url: string, text: string | Buffer = ''): OpenSocket {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  let came = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => (came += text))
  // Whoever is refused in the middle of sending is cut off; what was answered before is what counts.
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(came)))
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(came) && resolve(came)
      socket.on('data', look)
      socket.on('close', () => reject(new Error(`closed after: ${came.slice(0, 500)}`)))
      look()
    })
  socket.write(text)
  return { socket, closed, until }
}

/** What the server answers to these bytes until it closes the connection. */
export const sendRaw = (url: string, text: string | Buffer): Promise<string> => openSocket(url, text).closed
