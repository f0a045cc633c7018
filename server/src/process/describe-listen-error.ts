type Place = {
  port: number
  host: string
  /** What was typed. */
  command?: string
}

/** Why the service cannot listen, in a sentence that says what to type. */
export async function describeListenError(
  error: unknown,
  { port, host, command = 'npm start' }: Place,
): Promise<Error> {
  const { code } = error as NodeJS.ErrnoException
  const toType = `PORT=${port < 65_535 ? port + 1 : 3900} ${command}`
  const say = (sentence: string) => new Error(sentence, { cause: error })
  if (code === 'EACCES') return say(`Port ${port} needs more rights than this user has. Choose another one: ${toType}`)
  if (code !== 'EADDRINUSE') return error as Error
  if (!(await isOurs({ port, host }))) return say(`Port ${port} is in use. Choose another one: ${toType}`)
  const other = 'another Runwright, such as npm run demo'
  return say(`Port ${port} is used by ${other}. Stop that one with Ctrl-C, or choose another port: ${toType}`)
}

/** The same for what deploy keys are served by. */
export function describeSshError(error: unknown, { port, host }: Place): Error {
  const { code } = error as NodeJS.ErrnoException
  const why = { EACCES: 'needs more rights than this user has', EADDRINUSE: 'is in use' }[code ?? '']
  if (why) return new Error(`Port ${port} ${why}. Set RUNWRIGHT_SSH_PORT to another one.`, { cause: error })
  const isAddress = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
  return isAddress
    ? new Error(`This machine does not have the address ${host}. Set RUNWRIGHT_SSH_HOST.`, { cause: error })
    : (error as Error)
}

/** Whether it is this service that answers there. */
async function isOurs({ port, host }: Place): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  try {
    const answer = await fetch(`http://${name}:${port}/openapi.json`, {
      method: 'OPTIONS',
      signal: AbortSignal.timeout(1_000),
    })
    const body = (await answer.json()) as { code?: unknown; request_id?: unknown }
    return typeof body.code === 'string' && typeof body.request_id === 'string'
  } catch {
    return false
  }
}
