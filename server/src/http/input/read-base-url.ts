import { AppError } from '#base/errors.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** The base URL of a code host's API in the form in which it is stored, without query and credentials. Throws `invalid_request`. */
export function readBaseUrl(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const url = URL.parse(text)
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password
  if (isPlain && !url.search && !url.hash) return trimTrailing(url.href, '/')
  const msg =
    'must be an address that starts with https:// or http://, without credentials, as https://github.example.com/api/v3'
  throw new AppError('invalid_request', {
    message: `base_url ${msg}.`,
    detail: [{ loc: ['body', 'base_url'], msg, type: 'value' }],
  })
}
