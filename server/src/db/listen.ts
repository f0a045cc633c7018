import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseClient } from './database-client.ts'
import { endConnection } from './end-connection.ts'
import { heartbeatOptions, watchHeartbeat } from './heartbeat.ts'

export type Listen = {
  databaseUrl: string
  channels: string[]
  onNotification: (channel: string, payload: string) => void
  /** After each time that the connection stands: what was said before it did was not heard. */
  onConnected: () => void
}

const retryMs = 500

/** Listens on one connection of its own, made anew whenever it breaks or falls silent, until it is disposed. */
export function listen({ databaseUrl, channels, onNotification, onConnected }: Listen): AsyncDisposable {
  const stop = new AbortController()
  const live = async () => {
    const client = new DatabaseClient({
      connectionString: databaseUrl,
      application_name: 'runwright listener',
      ...heartbeatOptions,
      keepAlive: true,
    })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    client.on('error', () => end())
    client.on('end', () => end())
    stop.signal.addEventListener('abort', () => end(), { once: true })
    client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''))
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${channel}`)
      onConnected()
      using _heartbeat = watchHeartbeat(client, { onSilent: end })
      await ended
    } finally {
      await endConnection(client)
    }
  }
  const living = (async () => {
    while (!stop.signal.aborted) {
      await live().catch(() => {})
      await sleep(retryMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await living
    },
  }
}
