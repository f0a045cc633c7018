import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { codeHostLimits } from '#adapters/codehosts/limits.ts'
import type { GitHubClient } from './client.ts'

export type ReadLog = {
  /** Of the check run, which for GitHub Actions is the job's too. */
  id: number
  isOfActions: boolean
  bytesMax: number
}

/** The end of what a check printed, or what it says of itself; null where GitHub keeps nothing of it. */
export async function readLog(client: GitHubClient, ref: RepoRef, { id, isOfActions, bytesMax }: ReadLog) {
  const text = isOfActions ? await readJobLog(client, ref, { id, bytesMax }) : await readOutput(client, ref, id)
  return text === null ? null : endOf(Buffer.from(text), bytesMax)
}

async function readJobLog(
  client: GitHubClient,
  ref: RepoRef,
  { id, bytesMax }: { id: number; bytesMax: number },
): Promise<Buffer | null> {
  const { ask, owner, repo, connection } = await client.reach(ref, { actions: 'read' })
  try {
    const { headers } = await ask('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', {
      owner,
      repo,
      job_id: id,
      request: { redirect: 'manual' },
    })
    // GitHub itself always leads elsewhere.
    if (headers.location === undefined) throw new HostError('unavailable', 'GitHub did not say where a log lies.')
    // It lies elsewhere, at an address that opens it by itself: our credentials stay here.
    const answer = await client.dialer.send({ url: new URL(headers.location), asker: connection.organizationId })
    const { statusCode = 0 } = answer
    if (statusCode >= 500 || statusCode === 429)
      throw new HostError('unavailable', `The store of GitHub's logs answered ${statusCode}.`)
    return statusCode === 200 ? await readEnd(answer as AsyncIterable<Buffer>, bytesMax) : null
  } catch (error) {
    if (error instanceof HostError && error.code === 'not_found') return null
    throw error
  }
}

async function readEnd(answer: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let [bytes, kept] = [0, 0]
  for await (const piece of answer) {
    bytes += piece.length
    if (bytes > codeHostLimits.hostLogBytesMax) break
    pieces.push(piece)
    kept += piece.length
    if (kept > 2 * bytesMax) {
      // Rarely: each byte is copied twice at most, however small the pieces are.
      pieces.splice(0, pieces.length, Buffer.concat(pieces).subarray(-bytesMax))
      kept = bytesMax
    }
  }
  return Buffer.concat(pieces)
}

/** Of a check that keeps its log elsewhere: what it says here. */
async function readOutput(client: GitHubClient, ref: RepoRef, id: number): Promise<string | null> {
  const { ask, owner, repo } = await client.reach(ref, { checks: 'read' })
  const place = { owner, repo, check_run_id: id }
  const { data } = await ask('GET /repos/{owner}/{repo}/check-runs/{check_run_id}', place)
  const { title, summary, text, annotations_count: annotated } = data.output
  const notes = annotated
    ? (await ask('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', { ...place, per_page: 100 })).data
    : []
  const lines = notes.map(({ path, start_line: line, message }) => `${path}:${line}: ${message ?? ''}`)
  return [title, summary, text, ...lines].filter(Boolean).join('\n') || null
}

/** Whole characters of it. */
function endOf(bytes: Buffer, bytesMax: number): string {
  let start = Math.max(0, bytes.length - bytesMax)
  while (start > 0 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++
  return bytes.subarray(start).toString()
}
