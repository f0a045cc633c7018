import type { Client } from '@runwright/sdk'
import { makePublicKey } from '../../server/test/make-public-key.ts'
import { until } from './until.ts'

/** Something on each page about an organization; the number of a comparison that was judged. */
export async function furnishOrganization(admin: Client, repoId: number): Promise<number> {
  await admin.modelProviders.createModelProvider({
    org_id: 1,
    name: 'gateway',
    kind: 'openai_chat',
    base_url: 'https://models.fernhill.example/v1',
    key: 'not-a-real-key',
    models: ['coder-large', 'coder-small'],
    input_usd: 1.5,
    output_usd: 6,
    check: false,
  })
  await admin.mcpServers.createMcpServer({
    org_id: 1,
    name: 'tickets',
    url: 'https://tickets.fernhill.example/mcp',
    headers: { Authorization: 'Bearer {{NPM_TOKEN}}' },
  })
  await admin.repositories.createDeployKey({
    org_id: 1,
    repo_id: repoId,
    title: 'Nightly deployment',
    key: makePublicKey(),
  })
  await admin.workers.createWorkerToken({ org_id: 1, name: 'Build machines', labels: ['gpu'] })
  return compareWriters(admin, repoId)
}

/** One that does as it was asked to beside one that does not. */
async function compareWriters(admin: Client, repoId: number): Promise<number> {
  const writing = (name: string, content: string) => ({
    name,
    agent_type: 'scripted',
    metadata: { script: [{ write: { path: 'docs/receipts.md', content } }, { answer: 'The page is written.' }] },
  })
  const { id } = await admin.comparisons.createComparison({
    org_id: 1,
    prompt: 'Write one page about receipts, with an example of each kind',
    repo_id: repoId,
    judges: [
      { name: 'page', command: 'test -s docs/receipts.md' },
      { name: 'examples', command: 'test "$(grep -c ^Example docs/receipts.md)" -ge 2' },
    ],
    contestants: [
      writing(
        'careful',
        '# Receipts\n\nExample of a sale:\n\n    1 x tea   2.40\n\nExample of a return:\n\n    1 x tea  -2.40\n',
      ),
      writing('brief', '# Receipts\n\nThere is one for each sale.\n'),
    ],
  })
  await until(async () => {
    const { status } = await admin.comparisons.getComparison({ org_id: 1, comparison_id: id })
    return status !== 'open'
  })
  return id
}
