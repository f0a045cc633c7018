import type { IncomingMessage, ServerResponse } from 'node:http'
import type pg from 'pg'
import type { App } from '#app.ts'

/** What of the app this door uses. */
export type HttpApp = Pick<App, 'config' | 'publicUrl' | 'logger' | 'clock' | 'pool' | 'tokenKeys' | 'host' | 'engines'>

/** What domain's verbs take first. */
export type HttpDb = pg.Pool | pg.PoolClient

export type HttpParts = {
  app: HttpApp
  /** Answers everything below `/git/`, from the raw streams. */
  gitDoor?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** What keeps the service from working besides the database, a sentence each. */
  problems?: () => Promise<string[]>
}
