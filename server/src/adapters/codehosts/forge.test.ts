// What people and programs do around a repository, held against every code host.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  openGitHubUnderTest,
  openLocalUnderTest,
  type HostedRepository,
  type HostUnderTest,
} from '#test/open-code-hosts.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'
import { HostError } from './code-host.ts'
import type { CheckReport } from './forge.ts'
import type { PushRequest } from './git-store.ts'

const db = await testDb()

const hosts: Record<string, () => Promise<HostUnderTest>> = {
  local: () => openLocalUnderTest(db),
  'github, as an App,': () => openGitHubUnderTest(db),
  'github, by a token,': () => openGitHubUnderTest(db, 'token'),
}

const refusal = (code: string) => (error: unknown) => error instanceof HostError && error.code === code

for (const [name, open] of Object.entries(hosts)) {
  const under = await open()
  describe(`the ${name} host`, () => {
    /** A repository with a pull request that changes one file. */
    async function begin() {
      const hosted = await under.makeRepository()
      const { forge, repo, repoId } = hosted
      const tree = await makeWorkTree()
      const first = await tree.commit({ 'README.md': 'hello\n' })
      await push(hosted, { branch: 'main', commit: first, pack: tree.pack(first), protectedBranches: [] })
      const head = await tree.commit({ 'README.md': 'hello\nworld\n' })
      await push(hosted, { branch: 'agent/1', commit: head, pack: tree.pack(head, first) })
      const { pull } = await forge.openPull(repo, {
        repoId,
        runId: 1,
        title: 'Greet the world',
        body: 'It was time.',
        headBranch: 'agent/1',
        baseBranch: 'main',
        headCommit: head,
      })
      return { ...hosted, tree, first, head, number: pull.number, on: { kind: 'pull', number: pull.number } as const }
    }

    async function push(
      { git, repo }: HostedRepository,
      request: Pick<PushRequest, 'branch' | 'commit' | 'pack'> & Partial<PushRequest>,
    ) {
      const pushed = await git.push(repo, { expected: null, stillAllowed: async () => true, ...request })
      assert.partialDeepStrictEqual(pushed, { pushed: true })
    }

    test('shows a pull request as it is, and changes what it is told to', async () => {
      const { forge, repo, number, head } = await begin()
      const { title, body, state, draft, merged, mergeCommit, ...pull } = await forge.getPull(repo, number)
      assert.deepEqual(
        { title, body, state, draft, merged, mergeCommit, head: pull.head, base: pull.base },
        {
          title: 'Greet the world',
          body: 'It was time.',
          state: 'open',
          draft: false,
          merged: false,
          mergeCommit: null,
          head: { branch: 'agent/1', commit: head, isFromFork: false },
          base: { branch: 'main' },
        },
      )
      const changed = await forge.updatePull(repo, number, { title: 'Greet all', body: 'Anew.' })
      assert.deepEqual([changed.title, changed.body, changed.state], ['Greet all', 'Anew.', 'open'])
      const steps = ['draft', 'ready_for_review', 'closed', 'open'] as const
      const states = []
      for (const step of steps) {
        const { state, draft } = await forge.updatePull(repo, number, { state: step })
        states.push([state, draft])
      }
      assert.deepEqual(states, [
        ['open', true],
        ['open', false],
        ['closed', false],
        ['open', false],
      ])
      assert.equal((await forge.getPull(repo, number)).title, 'Greet all')
    })

    test('says of what is not there that it is not found', async () => {
      const { forge, repo } = await begin()
      await assert.rejects(forge.getPull(repo, 999), refusal('not_found'))
      await assert.rejects(forge.getMergeability(repo, 999), refusal('not_found'))
      await assert.rejects(forge.updatePull(repo, 999, { title: 'x' }), refusal('not_found'))
      await assert.rejects(
        forge.mergePull(repo, 999, { method: 'merge', expectedHead: '0'.repeat(40) }),
        refusal('not_found'),
      )
      await assert.rejects(forge.getIssue(repo, 999), refusal('not_found'))
      await assert.rejects(
        forge.saveComment(repo, { kind: 'pull', number: 999 }, { marker: 'x', body: 'x' }),
        refusal('not_found'),
      )
    })

    test('says whether a pull request merges without conflicts, at the second time of asking at the latest', async () => {
      const { forge, repo, number } = await begin()
      const first = await forge.getMergeability(repo, number)
      assert.equal(first ?? (await forge.getMergeability(repo, number)), 'clean')
    })

    for (const method of ['merge', 'squash'] as const) {
      test(`merges what was seen by ${method}, and nothing else, and once`, async () => {
        const { git, forge, repo, number, first, head } = await begin()
        const merge = (expectedHead: string) =>
          forge.mergePull(repo, number, { method, expectedHead, title: 'Take it' })
        await assert.rejects(merge(first), refusal('conflict'))
        const { commit } = await merge(head)
        assert.equal((await git.mirror(repo)).branches.get('main'), commit)
        const { state, merged, mergeCommit } = await forge.getPull(repo, number)
        assert.deepEqual({ state, merged, mergeCommit }, { state: 'closed', merged: true, mergeCommit: commit })
        assert.deepEqual(await merge(head), { commit })
      })
    }

    test('opens the pull request that takes a merged one back, once', async () => {
      const { git, forge, repo, number, first, head } = await begin()
      const words = { title: 'Revert "Greet the world"', body: '' }
      await assert.rejects(forge.revertPull(repo, number, words), refusal('conflict'))
      await forge.mergePull(repo, number, { method: 'squash', expectedHead: head })
      const opened = await forge.revertPull(repo, number, words)
      assert.partialDeepStrictEqual(opened, {
        title: words.title,
        state: 'open',
        head: { branch: `revert-${number}-agent/1` },
        base: { branch: 'main' },
      })
      assert.equal((await forge.revertPull(repo, number, words)).number, opened.number)
      await forge.mergePull(repo, opened.number, { method: 'merge', expectedHead: opened.head.commit })
      const { branches } = await git.mirror(repo)
      assert.equal(await git.diff(repo, { base: first, head: branches.get('main')!, bytesMax: 10_000 }), '')
      await assert.rejects(forge.revertPull(repo, number, words), refusal('conflict'))
    })

    test('keeps one comment of a marker, which is brought up to date', async () => {
      const { forge, repo, on } = await begin()
      const first = await forge.saveComment(repo, on, { marker: 'agent-run:7', body: 'At work.' })
      const second = await forge.saveComment(repo, on, { marker: 'agent-run:7', body: 'Done.' })
      const other = await forge.saveComment(repo, on, { marker: 'agent-run:8', body: 'Another.' })
      assert.equal(second.id, first.id)
      const listed = await forge.listComments(repo, on)
      assert.deepEqual(
        listed.map(({ id }) => id),
        [first.id, other.id],
      )
      assert.match(listed[0]!.body, /^Done\./)
      assert.ok(
        listed.every(({ author, url, createdAt }) => author && url.startsWith('http') && createdAt instanceof Date),
      )
    })

    test('takes a review of a marker once', async () => {
      const { forge, repo, number, head } = await begin()
      const review = { commit: head, verdict: 'comment', body: 'Well done.', marker: 'review:7' } as const
      const comments = [{ path: 'README.md', line: 2, side: 'head', body: 'Why?' } as const]
      const first = await forge.createReview(repo, number, { ...review, comments })
      assert.deepEqual(await forge.createReview(repo, number, { ...review, comments }), first)
    })

    test('answers the comments of a review in their threads, once for each marker, and settles those', async () => {
      const { forge, repo, number, head, on } = await begin()
      const words = { commit: head, verdict: 'comment', body: 'Two things.', marker: 'review:7' } as const
      const [line, side] = [2, 'head'] as const
      const comments = ['Why?', 'How?'].map((body) => ({ path: 'README.md', line, side, body }))
      await forge.createReview(repo, number, { ...words, comments })
      const asked = (await forge.listComments(repo, on)).filter((comment) => comment.line)
      assert.equal(asked.length, 2)
      assert.equal(new Set(asked.map(({ reviewId }) => reviewId)).size, 1)
      assert.ok(asked.every(({ id, threadId, reviewId }) => threadId === id && reviewId !== undefined))
      const [{ threadId } = { threadId: '' }] = asked
      const reply = { threadId: threadId!, marker: 'agent-thread:7:1' }
      const first = await forge.replyInThread!(repo, number, { ...reply, body: 'Not yet.' })
      const second = await forge.replyInThread!(repo, number, { ...reply, body: 'Because.' })
      assert.equal(second.id, first.id)
      const listed = (await forge.listComments(repo, on)).filter((comment) => comment.threadId === threadId)
      assert.deepEqual(
        listed.map(({ id }) => id),
        [threadId, first.id],
      )
      assert.match(listed[1]!.body, /^Because\./)
      assert.partialDeepStrictEqual(listed[1]!.line, { path: 'README.md', line, side })
      for (let time = 1; time <= 2; time++) await forge.resolveThreads!(repo, number, [threadId!])
      await forge.resolveThreads!(repo, number, [])
    })

    test('shows a report of ours as one check of the commit, from its beginning to its end', async () => {
      const { forge, repo, head } = await begin()
      const report: CheckReport = {
        key: '7',
        name: 'agent: Greet the world',
        status: 'in_progress',
        conclusion: null,
        title: 'At work',
        summary: 'It has just begun.',
        url: 'https://runwright.test/runs/7',
      }
      await forge.reportCheck(repo, head, report)
      const ours = async () => (await forge.listChecks(repo, head)).checks.filter(({ name }) => name === report.name)
      const [begun, ...others] = await ours()
      assert.deepEqual([others, begun?.status, begun?.conclusion, begun?.url], [[], 'in_progress', null, report.url])
      await forge.reportCheck(repo, head, { ...report, status: 'completed', conclusion: 'success', title: 'Done' })
      const ended = await ours()
      assert.deepEqual(
        ended.map(({ status, conclusion }) => [status, conclusion]),
        [['completed', 'success']],
      )
      assert.equal(ended[0]!.key, begun!.key)
      assert.deepEqual((await forge.listChecks(repo, '0'.repeat(39) + '1').catch(() => ({ checks: [] }))).checks, [])
    })

    test('says of a stranger that he may do nothing', async () => {
      const { forge, repo } = await begin()
      const stranger = { hostUserId: '999999999', login: 'nobody-at-all', isBot: false }
      assert.ok(['none', 'read'].includes(await forge.permissionOf(repo, stranger)))
    })
  })
}
