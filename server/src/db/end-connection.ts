import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { limits } from '#base/limits.ts'

/** Ends a connection. Whose other end has vanished says no goodbye, and is not waited for. Never rejects. */
export async function endConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), sleep(limits.goodbyeMs, undefined, { ref: false })])
}
