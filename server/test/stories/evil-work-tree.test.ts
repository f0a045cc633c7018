import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { ownAuthor } from '#base/own-author.ts'
import { makeRepository } from '#test/example-repository.ts'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { commitWork } from '#worker/runs/steps/commit-work.ts'
import { dropGitLocks } from '#worker/runs/work-tree/drop-git-locks.ts'
import { objectsMount } from '#worker/runs/work-tree/objects-in.ts'
import { takePack } from '#worker/runs/steps/take-pack.ts'
import { takeSnapshot } from '#worker/runs/steps/take-snapshot.ts'

const { base, folder, provider } = testSandboxes()
const { signal } = new AbortController()
const host = openLocalHost({
  folder: path.join(base, 'git'),
  importPaths: [os.tmpdir()],
  ...(process.getuid?.() === 0 && { readableBy: { gid: 64_900 } }),
})
const ref = { organizationId: 1, path: '1/1.git' }
await host.importRepository(ref, makeRepository({ 'file.txt': 'a file\n' }))
const { branches } = await host.mirror(ref)
const begin = branches.get('main')!

/** Another organization's repository, of which an agent has somehow learned an object. */
const theirs = { organizationId: 2, path: '2/2.git' }
await host.importRepository(theirs, makeRepository({ 'secret.txt': 'their secret\n' }))
const theirObjects = path.join(base, 'git/2/2.git/objects')

type Trap = {
  /** What the agent does in its work tree. `$MARK` is what it would have appear on the machine. */
  lay: string
  /** How git on the machine would spring it, in that work tree. */
  spring: string[]
}

const script = `printf '#!/bin/sh\\ntouch %s\\n' "$MARK"`
const traps: Record<string, Trap> = {
  hooks: {
    lay: `${script} > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
    spring: ['commit', '--allow-empty', '-m', 'x'],
  },
  'hooks in a folder of its own': {
    lay: `mkdir h; ${script} > h/post-checkout; chmod +x h/post-checkout; git config core.hooksPath h`,
    spring: ['checkout', '-q', 'HEAD'],
  },
  'a watcher of files': { lay: `git config core.fsmonitor "touch $MARK; false"`, spring: ['status'] },
  filters: {
    lay: `git config filter.x.clean "touch $MARK; cat"; git config filter.x.required true; echo '* filter=x' > .gitattributes`,
    spring: ['add', '-A'],
  },
  aliases: { lay: `git config alias.look "!touch $MARK"`, spring: ['look'] },
  'a program that makes text of files': {
    lay: `git config diff.x.textconv "touch $MARK; cat"; echo '* diff=x' > .gitattributes; echo more >> file.txt`,
    spring: ['diff'],
  },
  'a program that compares': {
    lay: `git config diff.external "touch $MARK"; echo more >> file.txt`,
    spring: ['diff'],
  },
  'a repository inside the repository': {
    lay: `git init -q inner; git -C inner commit -q --allow-empty -m inner; git -c core.fsmonitor= add inner 2>&1
      git -c core.hooksPath=/dev/null commit -qm outer; git -C inner config core.fsmonitor "touch $MARK; false"`,
    spring: ['status'],
  },
  'settings that include others': {
    lay: `git config --file evil core.fsmonitor "touch $MARK; false"; git config include.path ../evil`,
    spring: ['status'],
  },
  'settings of the work tree': {
    lay: `git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "touch $MARK; false"`,
    spring: ['status'],
  },
  'a .git that is a link': {
    lay: `mv .git elsewhere; ln -s elsewhere .git; git config core.fsmonitor "touch $MARK; false"`,
    spring: ['status'],
  },
  'a .git that names another folder': {
    lay: `mv .git elsewhere; echo 'gitdir: elsewhere' > .git; git config core.fsmonitor "touch $MARK; false"`,
    spring: ['status'],
  },
  'a program that signs': {
    lay: `${script} > sign; chmod +x sign; git config gpg.program ./sign; git config commit.gpgSign true`,
    spring: ['commit', '--allow-empty', '-m', 'x'],
  },
}

const environment = {
  PATH: process.env.PATH!,
  HOME: base,
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a',
}

/** All that the service does with a work tree, from a takeover to the diff that people read. */
async function handle(lay: string, id: string, mark: string) {
  const { objectsPath } = await host.mirror(ref)
  const mounts = { [objectsMount]: objectsPath }
  const sandbox = await provider.create({ id, limits: testLimits, mounts })
  await checkOut(sandbox, { branch: id, baseBranch: 'main', baseCommit: begin, commit: begin, snapshot: null, signal })
  await sayIn(sandbox, `MARK=${mark}; ${lay}\necho work > work.txt`)
  await dropGitLocks(sandbox, signal)
  await takeSnapshot({ sandbox, known: null, signal }).catch(() => null)
  const copy = path.join(base, 'copies', id)
  cpSync(path.join(folder, id, 'workspace'), copy, { recursive: true, verbatimSymlinks: true })
  const work = { title: 'work', answer: { answer: '' }, trailers: [], date: new Date(0), signal }
  const none = { submodules: [], startCommit: begin }
  const commit = await commitWork({ sandbox, ...work, ...none, by: ownAuthor }).then(
    (committed) => committed.commit,
    () => null,
  )
  if (commit !== null) {
    await using pack = await takePack({ sandbox, commit, without: [begin], folder: base, signal })
    await host.check(ref, { commit, pack: pack.read() })
    const stillAllowed = async () => true
    await host.push(ref, { branch: id, expected: null, commit, pack: pack.read(), stillAllowed, signal })
    await host.diff(ref, { base: begin, head: commit, bytesMax: 100_000 }).catch(() => null)
  }
  await host.mirror(ref)
  await sandbox.stop('handled')
  await provider.remove(id)
  return { copy, commit }
}

for (const [index, [title, { lay, spring }]] of Object.entries(traps).entries()) {
  test(`of what an agent leaves in its work tree nothing runs on the machine: ${title}`, async () => {
    const marks = path.join(base, 'marks', String(index))
    mkdirSync(marks, { recursive: true })
    const mark = path.join(marks, 'mark')
    const { copy } = await handle(lay, `trap-${index}`, mark)
    assert.deepEqual(readdirSync(marks), [])
    // That it is a trap: git in that folder, on the machine, does run it.
    const alternates = path.join(copy, '.git/objects/info/alternates')
    if (existsSync(alternates)) writeFileSync(alternates, `${(await host.mirror(ref)).objectsPath}\n`)
    spawnSync('git', ['-c', 'safe.directory=*', '-C', copy, ...spring], { env: environment })
    assert.ok(existsSync(mark), `${title} is no trap`)
  })
}

test('objects of another repository are not borrowed by naming its folder, nor by naming the object', async () => {
  const blob = spawnSync('git', ['hash-object', '--stdin'], { input: 'their secret\n', encoding: 'utf8' }).stdout.trim()
  const sandbox = await provider.create({
    id: 'borrower',
    limits: testLimits,
    mounts: { [objectsMount]: (await host.mirror(ref)).objectsPath },
  })
  const at = { branch: 'b', baseBranch: 'main', baseCommit: begin, commit: begin, snapshot: null, signal }
  await checkOut(sandbox, at)
  const text = await sayIn(
    sandbox,
    `echo ${theirObjects} >> .git/objects/info/alternates
     tree=$(printf '100644 blob ${blob}\\tsecret.txt\\n' | git mktree --missing 2> /dev/null)
     git commit-tree $tree -p HEAD -m borrowed 2> /dev/null`,
  )
  const commit = text.split('\n').at(-1)!
  assert.match(commit, /^[0-9a-f]{40}$/)
  const pack = await sandbox.exec({
    shell: `printf '%s\\n%s\\n' ${commit} $(git rev-parse ${commit}^{tree}) | git pack-objects --stdout -q`,
    timeoutMs: 20_000,
  }).result
  const refused = await host.push(ref, {
    branch: 'borrowed',
    expected: null,
    commit,
    pack: Readable.from([pack.stdout]),
    stillAllowed: async () => true,
  })
  assert.partialDeepStrictEqual(refused, { pushed: false, reason: 'bad_pack' })
  assert.match(refused.pushed ? '' : refused.message, /did not receive expected object|not whole/)
})
