import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGitHubUnderTest } from '#test/open-code-hosts.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'

const under = await openGitHubUnderTest(await testDb())
const { server } = under

/** A pull request of somebody who may do everything, and which changes some lines of a file. */
async function beginPull() {
  const { git, forge, repo, there, bot } = await under.makeRepository()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'admin')
  const tree = await makeWorkTree()
  const commit = await tree.commit({ 'total.js': 'one\ntwo\nthree\nfour\n' })
  const first = { branch: 'main', expected: null, commit, pack: tree.pack(commit), protectedBranches: [] }
  assert.partialDeepStrictEqual(await git.push(repo, { ...first, stillAllowed: async () => true }), { pushed: true })
  const head = await ada.push(there, { branch: 'odd', from: 'main', files: { 'total.js': 'one\nzwei\ndrei\nfour\n' } })
  const pulls = `/repos/${there.owner.login}/${there.name}/pulls`
  const { number } = await ada.ask<{ number: number }>('POST', pulls, { title: 'Odd', head: 'odd', base: 'main' })
  return { forge, repo, there, bot, ada, head, number, at: `${pulls}/${number}` }
}

test('a comment on lines is read with the lines, and the diff up to them', async () => {
  const { forge, repo, ada, head, number, at } = await beginPull()
  const place = { path: 'total.js', commit_id: head }
  await ada.ask('POST', `${at}/comments`, { ...place, body: 'Why?', start_line: 2, line: 3, side: 'RIGHT' })
  await ada.ask('POST', `${at}/comments`, { ...place, body: 'And this?', line: 2, side: 'LEFT' })
  const comments = await forge.listComments(repo, { kind: 'pull', number })
  assert.deepEqual(
    comments.map(({ body, line }) => [body, line]),
    [
      [
        'Why?',
        {
          path: 'total.js',
          startLine: 2,
          line: 3,
          side: 'head',
          commit: head,
          hunk: '@@ -1,4 +1,4 @@\n one\n-two\n-three\n+zwei\n+drei',
        },
      ],
      ['And this?', { path: 'total.js', line: 2, side: 'base', commit: head, hunk: '@@ -1,4 +1,4 @@\n one\n-two' }],
    ],
  )
})
