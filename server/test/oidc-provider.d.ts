/** What of it is used; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Context = { path: string; body: unknown }

  // eslint-disable-next-line import/no-default-export -- as the package has it
  export default class OpenIdProvider {
    constructor(issuer: string, configuration: object)
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  }
}
