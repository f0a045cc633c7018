import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app.ts'

/** What of the app this door uses. */
export type HttpApp = Pick<App, 'config' | 'publicUrl' | 'logger' | 'clock' | 'pool' | 'tokenKeys' | 'host' | 'engines'>

export type HttpParts = {
  app: HttpApp
  /** Answers everything below `/git/`, from the raw streams. */
  gitDoor?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** What keeps the service from working besides the database, a sentence each. */
  problems?: () => Promise<string[]>
}
