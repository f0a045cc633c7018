import { parseArgs } from 'node:util'
import { openApp, type App } from '#app/app.ts'
import type { Config } from '#base/config/config.ts'
import { labelPattern } from '#base/labels.ts'
import { createWorkerToken } from '#domain/runs/worker-tokens/create-worker-token.ts'
import { listWorkerTokens, type ListedWorkerToken } from '#domain/runs/worker-tokens/list-worker-tokens.ts'
import { revokeWorkerToken } from '#domain/runs/worker-tokens/revoke-worker-token.ts'
import { workerTokensMax } from '#domain/runs/worker-tokens/worker-token.ts'

const usage = `"worker-tokens" lists the tokens of workers for all organizations.
"worker-tokens create <name>" makes one; "--labels gpu,far" are those that its workers may have, "--days 90" is how long it is good.
"worker-tokens revoke <id>" ends one.
With "--organization 3" each of them is about the tokens of that organization.`

const dayMs = 86_400_000

/** What the operator asks for of the tokens that let remote workers in. */
export async function runWorkerTokensCommand(config: Config, words: string[]): Promise<void> {
  const request = readRequest(words)
  await using app = await openApp({ ...config, gitUrl: null }, { role: 'worker-tokens' })
  process.stdout.write(await answer(app, request))
}

type Request = {
  verb: string
  word: string
  organizationId: number | null
  labels: string[] | null
  days: number | null
}

export function readRequest(words: string[]): Request {
  try {
    const options = { organization: { type: 'string' }, labels: { type: 'string' }, days: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    const [verb = 'list', word = '', ...others] = positionals
    const labels = values.labels?.split(',') ?? null
    const request = {
      verb,
      word,
      organizationId: numberOf(values.organization),
      labels,
      days: numberOf(values.days),
    }
    const isCreation = verb === 'create' && word !== '' && word.length <= 200
    const isOther = (verb === 'list' && word === '') || (verb === 'revoke' && numberOf(word) !== null)
    if (others.length || !(labels ?? []).every((label) => labelPattern.test(label)) || !(isCreation || isOther))
      throw new Error(usage)
    return request
  } catch {
    throw new Error(usage)
  }
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(usage)
  return Number(text)
}

async function answer({ pool, tokenKeys, clock }: App, request: Request): Promise<string> {
  const { verb, word, organizationId, labels, days } = request
  if (verb === 'create') {
    const expiresAt = days === null ? null : new Date(clock.now().getTime() + days * dayMs)
    const wish = { organizationId, name: word, labels, createdBy: null, expiresAt }
    const { token, secret } = await createWorkerToken(pool, tokenKeys, wish)
    return `Token ${token.id} was made. It is shown now and never again:\n${secret}\n`
  }
  if (verb === 'revoke') {
    await revokeWorkerToken(pool, { organizationId, tokenId: Number(word) })
    return `Token ${word} was revoked.\n`
  }
  const { items } = await listWorkerTokens(pool, { organizationId, skip: 0, limit: workerTokensMax })
  const whose = organizationId === null ? 'all organizations' : `organization ${organizationId}`
  return items.length ? items.map(lineOf).join('') : `There are no worker tokens for ${whose}.\n`
}

function lineOf({ id, name, prefix, last4, labels, expiresAt, lastUsedAt, workers }: ListedWorkerToken): string {
  const facts = [
    `labels: ${labels?.join(', ') ?? 'any'}`,
    expiresAt ? `expires ${expiresAt.toISOString()}` : 'never expires',
    lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : 'never used',
    ...workers.map((worker) => `connected: ${worker.name}, ${worker.runs} of ${worker.slots} slots in use`),
  ]
  return `${id}  ${name}  ${prefix}…${last4}  ${facts.join('; ')}\n`
}
