import { HostError, type HostPull, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge, HostMerge, OpenPull } from '#adapters/codehosts/forge.ts'
import type { Mergeability } from '#base/hosts/host-facts.ts'
import { askGraphql } from './ask-graphql.ts'
import type { GitHubClient, Need, Reached } from './client.ts'
import { cutText } from './cut-text.ts'
import { readActor, type User } from './read-actor.ts'

const reading: Need = { pull_requests: 'read' }
const writing: Need = { pull_requests: 'write' }
/** A merge moves a branch. */
const merging: Need = { ...writing, contents: 'write' }

type Pulls = Pick<
  Forge,
  'getPull' | 'getMergeability' | 'updateBranch' | 'updatePull' | 'mergePull' | 'revertPull' | 'addLabels'
> & {
  openPull(repo: RepoRef, pull: OpenPull): Promise<{ pull: HostPull; created: boolean }>
}

export function openPulls(client: GitHubClient): Pulls {
  return {
    getPull: async (ref, number) => {
      const found = await get(await client.reach(ref, reading), number)
      return { ...readPull(found), mergeability: mergeabilityOf(found) }
    },
    getMergeability: async (ref, number) => mergeabilityOf(await get(await client.reach(ref, reading), number)),
    updateBranch: async (ref, number, { method, expectedHead }) => {
      const at = await client.reach(ref, merging)
      const { node_id: id } = await get(at, number)
      await askGraphql(at, {
        query: `mutation($id: ID!, $head: GitObjectID!, $method: PullRequestBranchUpdateMethod!) {
          updatePullRequestBranch(input: { pullRequestId: $id, expectedHeadOid: $head, updateMethod: $method }) { clientMutationId }
        }`,
        variables: { id, head: expectedHead, method: method.toUpperCase() },
      })
    },
    updatePull: async (ref, number, { title, body, state }) => {
      const at = await client.reach(ref, writing)
      const isState = state === 'open' || state === 'closed'
      if (title !== undefined || body !== undefined || isState) {
        await at.ask('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
          ...placeOf(at, number),
          ...(title !== undefined && { title }),
          ...(body !== undefined && { body: cutText(body) }),
          ...(isState && { state }),
        })
      }
      if (state !== undefined && !isState) await setDraft(at, number, state === 'draft')
      return readPull(await get(at, number))
    },
    mergePull: async (ref, number, request) => merge(await client.reach(ref, merging), number, request),
    revertPull: async (ref, number, words) => {
      const at = await client.reach(ref, merging)
      const pull = await get(at, number)
      // Also the second try of a revert whose answer was lost: GitHub names its branch so.
      const known = await findOpen(at, `revert-${number}-${pull.head.ref}`)
      return readPull(known ?? (await get(at, await revert(at, pull.node_id, words))))
    },
    // Those that the repository does not have yet are made by it.
    addLabels: async (ref, number, labels) => {
      const { ask, owner, repo } = await client.reach(ref, writing)
      const request = { owner, repo, issue_number: number, labels: [...labels] }
      await ask('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', request)
    },
    openPull: async (ref, request) => openOrFind(await client.reach(ref, writing), request),
  }
}

/** GitHub works it out once somebody asks. */
function mergeabilityOf(pull: { mergeable: boolean | null; mergeable_state: string }): Mergeability | null {
  if (pull.mergeable === null) return null
  if (!pull.mergeable) return 'conflicts'
  return pull.mergeable_state === 'behind' ? 'behind' : 'clean'
}

const placeOf = ({ owner, repo }: Reached, number: number) => ({ owner, repo, pull_number: number })

async function get(at: Reached, number: number) {
  return (await at.ask('GET /repos/{owner}/{repo}/pulls/{pull_number}', placeOf(at, number))).data
}

async function open({ owner, repo, ask }: Reached, request: OpenPull): Promise<HostPull> {
  const { title, body, headBranch: head, baseBranch: base, draft = false } = request
  const words = { title, body: cutText(body) }
  return readPull((await ask('POST /repos/{owner}/{repo}/pulls', { owner, repo, ...words, head, base, draft })).data)
}

async function openOrFind(at: Reached, request: OpenPull): Promise<{ pull: HostPull; created: boolean }> {
  const known = await findOpen(at, request.headBranch)
  if (known) return { pull: readPull(known), created: false }
  try {
    return { pull: await open(at, request), created: true }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    // Not every plan of GitHub has drafts.
    if (request.draft && /draft pull requests are not supported/i.test(error.message))
      return { pull: await open(at, { ...request, draft: false }), created: true }
    if (!/already exists/i.test(error.message)) throw error
    // Somebody else was quicker, or the answer of the first try was lost.
    const found = await findOpen(at, request.headBranch)
    if (!found) throw error
    return { pull: readPull(found), created: false }
  }
}

async function merge(at: Reached, number: number, request: HostMerge): Promise<{ commit: string | null }> {
  const { method, expectedHead, title, message } = request
  const pull = await get(at, number)
  // Also the second try of a merge whose answer was lost.
  if (pull.merged && pull.merge_commit_sha && pull.head.sha === expectedHead) return { commit: pull.merge_commit_sha }
  try {
    const { data } = await at.ask('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
      ...placeOf(at, number),
      merge_method: method,
      sha: expectedHead,
      ...(title !== undefined && { commit_title: title }),
      ...(message !== undefined && { commit_message: message }),
    })
    return { commit: data.sha }
  } catch (error) {
    if (!(error instanceof HostError) || !/merge queue/i.test(error.message)) throw error
    await enqueue(at, pull.node_id, expectedHead)
    return { commit: null }
  }
}

/** The open pull request of a branch of the repository itself. */
async function findOpen({ ask, owner, repo }: Reached, branch: string) {
  const { data } = await ask('GET /repos/{owner}/{repo}/pulls', {
    owner,
    repo,
    head: `${owner}:${branch}`,
    state: 'open',
  })
  return data.find(({ head }) => head.ref === branch)
}

/** REST has no way to do that. */
async function setDraft(at: Reached, number: number, isDraft: boolean): Promise<void> {
  const { node_id: id, draft } = await get(at, number)
  if (draft === isDraft) return
  const verb = isDraft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview'
  await askGraphql(at, {
    query: `mutation($id: ID!) { ${verb}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`,
    variables: { id },
  })
}

type Words = { title: string; body: string }

/** Nor that. Answers the number of the new pull request. */
async function revert(at: Reached, id: string, { title, body }: Words): Promise<number> {
  const query = `mutation($id: ID!, $title: String, $body: String) {
    revertPullRequest(input: { pullRequestId: $id, title: $title, body: $body }) { revertPullRequest { number } }
  }`
  const data = await askGraphql(at, { query, variables: { id, title, body: cutText(body) } })
  return (data['revertPullRequest'] as { revertPullRequest: { number: number } }).revertPullRequest.number
}

/** A branch with a merge queue is merged into by that alone, and by the method that it is set to. */
async function enqueue(at: Reached, id: string, head: string): Promise<void> {
  const query = `mutation($id: ID!, $head: GitObjectID!) {
    enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { clientMutationId }
  }`
  await askGraphql(at, { query, variables: { id, head } })
}

type Shown = {
  number: number
  html_url: string
  title: string
  body: string | null
  state: string
  draft?: boolean | undefined
  merged_at: string | null
  merge_commit_sha: string | null
  user: User
  head: { ref: string; sha: string; repo: { id: number | bigint } | null }
  base: { ref: string; repo: { id: number | bigint } }
  created_at: string
  updated_at: string
}

function readPull(pull: Shown): HostPull {
  const isMerged = pull.merged_at !== null
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? '',
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.draft ?? false,
    merged: isMerged,
    author: readActor(pull.user),
    head: { branch: pull.head.ref, commit: pull.head.sha, isFromFork: pull.head.repo?.id !== pull.base.repo.id },
    base: { branch: pull.base.ref },
    mergeCommit: isMerged ? pull.merge_commit_sha : null,
    createdAt: new Date(pull.created_at),
    updatedAt: new Date(pull.updated_at),
  }
}
