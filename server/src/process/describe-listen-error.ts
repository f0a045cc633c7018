type Place = { port: number; host: string }

/** Why the service cannot listen, in a sentence that says what to type. */
export async function describeListenError(error: unknown, { port, host }: Place): Promise<Error> {
  const { code } = error as NodeJS.ErrnoException
  const next = `Choose another one: PORT=${port < 65_535 ? port + 1 : 3900} npm start`
  if (code === 'EADDRINUSE') {
    const who = (await isOurs({ port, host }))
      ? 'another Runwright, such as npm run demo. Stop that one with Ctrl-C, or choose'
      : ''
    return new Error(
      who
        ? `Port ${port} is used by ${who} another port: PORT=${port + 1} npm start`
        : `Port ${port} is in use. ${next}`,
      { cause: error },
    )
  }
  if (code === 'EACCES')
    return new Error(`Port ${port} needs more rights than this user has. ${next}`, { cause: error })
  return error as Error
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
