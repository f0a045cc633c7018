import { AppError } from '#base/errors.ts'

/** An MCP server is on a host or in the sandbox. Throws `invalid_request` where it is both or neither. */
export function requireOnePlace({ url, command }: { url: string | null; command: string[] | null }): void {
  if ((url === null) === (command === null))
    throw new AppError('invalid_request', { message: 'An MCP server has either a url or a command.' })
  if (url !== null && !URL.canParse(url)) throw new AppError('invalid_request', { message: 'The url is not valid.' })
}
