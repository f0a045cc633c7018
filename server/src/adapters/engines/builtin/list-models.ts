import { readAnswer } from '#adapters/codehosts/dial-out.ts'
import { lackOfKey } from '#base/models/own-provider.ts'
import { baseUrlOf, isModelAllowed, keyHeadersOf, withoutSecrets, wordsOf } from '#base/models/model-providers.ts'
import type { ProviderName } from '#base/models/model-providers.ts'
import { checkedSend } from './dial-model.ts'
import { sourcesOf, type ModelOptions, type Source } from './model-options.ts'
import { readModelList } from './read-model-list.ts'

const TIME_MS = 10_000
/** The longest lists that there are have a tenth of it. */
const BYTES_MAX = 4 * 1024 * 1024

export type ListedModel = { name: string; provider: string; available: boolean; reason: string | null }

/** The models of all configured providers. One that cannot be asked is there as a single line that says why. */
export async function listModels(options: ModelOptions, signal?: AbortSignal): Promise<ListedModel[]> {
  return (await Promise.all(sourcesOf(options).map((source) => listModelsOf(source, signal)))).flat()
}

/** Those of one provider. */
export async function listModelsOf(
  { name, provider, options, own }: Source,
  signal?: AbortSignal,
): Promise<ListedModel[]> {
  try {
    if (own?.lacksKey) throw new Error(`${lackOfKey(name)}.`)
    const ids = own?.models ?? (await listModelIds(options, provider, signal))
    const names = ids.map((id) => `${name}/${id}`).filter((one) => isModelAllowed(options, one))
    return names.map((one) => ({ name: one, provider: name, available: true, reason: null }))
  } catch (error) {
    signal?.throwIfAborted()
    return [{ name: `${name}/*`, provider: name, available: false, reason: (error as Error).message }]
  }
}

/** What one provider lists, in its order. Rejects with a message that a person can act on. */
export async function listModelIds(options: ModelOptions, name: ProviderName, signal?: AbortSignal): Promise<string[]> {
  const { title, key, address } = wordsOf(options, name)
  const where = withoutSecrets(options, `${baseUrlOf(options, name)}/models`)
  let answer: Listed
  try {
    answer = await askForList(
      options,
      name,
      AbortSignal.any([AbortSignal.timeout(TIME_MS), ...(signal ? [signal] : [])]),
    )
  } catch (error) {
    signal?.throwIfAborted()
    // What a host that an organization has named is refused for is for its people to know.
    const why =
      options.own === undefined ? '' : ` (${withoutSecrets(options, (error as Error).message).replace(/\.$/, '')})`
    throw new Error(`${title} cannot be reached at ${where}${why}: check ${address}.`, { cause: error })
  }
  const { status, text } = answer
  if (status === 401 || status === 403)
    throw new Error(`${title} refuses the key (${status} from ${where}): check ${key}.`)
  if (status < 200 || status > 299) throw new Error(`${title} does not list its models: ${status} from ${where}.`)
  const listed = readModelList(text)
  if (!listed) throw new Error(`${where} did not answer with a list of models: check ${address}.`)
  return listed
}

type Listed = { status: number; text: string }

async function askForList(options: ModelOptions, name: ProviderName, signal: AbortSignal): Promise<Listed> {
  const url = `${baseUrlOf(options, name)}/models`
  const headers = {
    ...keyHeadersOf(options, name),
    ...(name === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
  }
  if (options.own !== undefined) {
    const request = { url: new URL(url), asker: options.asker ?? null, headers, timeoutMs: TIME_MS, signal }
    const answer = await checkedSend(options)(request)
    return { status: answer.statusCode ?? 502, text: (await readAnswer(answer, BYTES_MAX)).toString() }
  }
  const answer = await fetch(url, { headers, signal })
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    pieces.push(piece)
    if ((bytes += piece.length) > BYTES_MAX) throw new Error(`The answer is larger than ${BYTES_MAX} bytes.`)
  }
  return { status: answer.status, text: Buffer.concat(pieces).toString() }
}
