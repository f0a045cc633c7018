import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { mayBeNamed, type OwnProvider } from '#base/models/own-provider.ts'
import { Secret } from '#base/secrets/secret.ts'

type Field = 'name' | 'base_url' | 'key' | 'output_usd'

/** Throws `invalid_request` for what no model provider can be. */
export function checkModelProvider(
  { name, kind, baseUrl, apiKey, lacksKey }: Pick<OwnProvider, 'name' | 'kind' | 'baseUrl' | 'apiKey' | 'lacksKey'>,
  { inputUsd, outputUsd }: { inputUsd: number | null; outputUsd: number | null },
): void {
  if (!mayBeNamed(name, kind))
    throw invalid('name', `${name} stands in for the provider of the service with that name, which is of another kind.`)
  if (kind === 'openai_chat' && baseUrl === null)
    throw invalid('base_url', 'A server of chat completions needs its address.')
  if (lacksKey && apiKey) throw invalid('key', 'A provider with member_keys_only has no key of the organization.')
  if (baseUrl === null && !apiKey && !lacksKey) throw invalid('key', 'This provider needs a key.')
  if ((inputUsd === null) !== (outputUsd === null))
    throw invalid('output_usd', 'The price of input and that of output are set together.')
}

/** What is of fewer different bytes could not be taken out of logs without harm to ordinary text. Throws `invalid_request`. */
export function readModelKey(key: string): Secret {
  if (new Set(key).size < limits.secretDistinctBytesMin)
    throw invalid('key', `A key has at least ${limits.secretDistinctBytesMin} different characters.`)
  return new Secret(key)
}

export function invalid(field: Field, message: string): AppError {
  const detail = [{ loc: ['body', field], msg: message, type: 'value_error' }]
  return new AppError('invalid_request', { message, detail })
}
