/** Ways out through git: what an agent leaves in a repository for whoever looks at it later. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { sayIn, testLimits } from '#test/test-sandboxes.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { takePack } from '#worker/runs/steps/take-pack.ts'
import { openAttack } from './attack.ts'
import { openRepository } from './open-repository.ts'

const attack = await openAttack()
const { base, folder, hasOwnKernel, provider, attacker, attempt } = attack
const { signal } = new AbortController()
const { host, ref, objectsPath, begin } = await openRepository(attack, { file: 'a file\n' })
const sandbox = await provider.create({ id: 'git', limits: testLimits, mounts: { objects: objectsPath } })
await checkOut(sandbox, {
  branch: 'work',
  baseBranch: 'main',
  baseCommit: begin,
  commit: begin,
  snapshot: null,
  signal,
})

/** Everything in a repository that makes git run a program, each of which would leave `mark` and its own name. */
const trap = (mark: string) => `rm -rf trapped; git init -q trapped; cd trapped
  git config core.fsmonitor "touch ${mark}-fsmonitor; false"; git config diff.external "touch ${mark}-diff"
  git config core.sshCommand "touch ${mark}-ssh"; git config core.pager "touch ${mark}-pager"; git config core.editor "touch ${mark}-editor"
  git config credential.helper "!touch ${mark}-credential"; git config gpg.program "touch ${mark}-gpg"; git config alias.st "!touch ${mark}-alias"
  git config filter.x.clean "touch ${mark}-clean; cat"; git config filter.x.smudge "touch ${mark}-smudge; cat"; git config uploadpack.packObjectsHook "touch ${mark}-pack"
  echo '* filter=x' > .gitattributes; git config core.hooksPath .hooks; mkdir .hooks
  for hook in post-checkout pre-push reference-transaction post-index-change pre-commit update post-receive; do printf '#!/bin/sh\\ntouch ${mark}-hook\\n' > .hooks/$hook; chmod +x .hooks/$hook; done
  echo a > file; git -c core.hooksPath=/dev/null -c core.fsmonitor= add . ; git -c core.hooksPath=/dev/null -c core.fsmonitor= commit -qm trap; echo more >> file; echo trapped`

const marksIn = (mark: string) => readdirSync(base).filter((name) => name.startsWith(`${mark}-`))

test('to know what is at stake: git on the machine, in a folder that an agent wrote, runs what the agent wants', async () => {
  assert.match(await attempt(trap(`${base}/control`)), /trapped/)
  const copy = path.join(base, 'copy')
  cpSync(path.join(folder, 'attacker/workspace/trapped'), copy, { recursive: true })
  spawnSync('git', ['-c', 'safe.directory=*', '-C', copy, 'status'], { env: { PATH: process.env.PATH!, HOME: base } })
  assert.ok(marksIn('control').length > 0)
})

test('lays every trap that git knows: what the service does with that repository springs none on the machine', async () => {
  await sayIn(sandbox, trap(`${base}/safe`).replace('git init -q trapped; cd trapped', ':'))
  await sayIn(sandbox, 'git status; git diff; git log -1')
  await sayIn(sandbox, 'echo work > work.txt; git -c core.hooksPath=/dev/null -c core.fsmonitor= commit -qam work')
  const commit = await headOf(sandbox)
  assert.partialDeepStrictEqual(await push(sandbox, commit, 'agent/trap'), { pushed: true })
  await host.diff(ref, { base: begin, head: commit, bytesMax: 100_000 })
  assert.deepEqual(marksIn('safe'), [])
})

const headOf = (from: Sandbox) => sayIn(from, 'git rev-parse HEAD')

async function push(from: Sandbox, commit: string, branch: string) {
  await using pack = await takePack({ sandbox: from, commit, without: [begin], folder: base, signal })
  return host.push(ref, { branch, expected: null, commit, pack: pack.read(), stillAllowed: async () => true, signal })
}

/** A commit whose tree is made by hand, with what no `git add` would take. */
const commitOf = (lines: string) =>
  sayIn(
    sandbox,
    `blob=$(echo evil | git hash-object -w --stdin); tree=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree)
     ${lines}; git commit-tree $top -p HEAD -m evil < /dev/null`,
  )

const evilTrees: [title: string, lines: string][] = [
  ["git's own folder in other letters", `top=$(printf '040000 tree %s\\t.GIT\\n' $tree | git mktree)`],
  ["git's own folder", `top=$(printf '040000 tree %s\\t.git\\n' $tree | git mktree)`],
  ["git's own folder by its short name", `top=$(printf '040000 tree %s\\tgit~1\\n' $tree | git mktree)`],
  ['a folder above', `top=$(printf '040000 tree %s\\t..\\n' $tree | git mktree)`],
  [
    'a submodule whose address is an option',
    `evil=$(printf '[submodule "x"]\\n path = x\\n url = --upload-pack=touch /tmp/x\\n' | git hash-object -w --stdin); top=$(printf '100644 blob %s\\t.gitmodules\\n' $evil | git mktree)`,
  ],
  [
    'a list of submodules that is a link',
    `evil=$(printf /etc/passwd | git hash-object -w --stdin); top=$(printf '120000 blob %s\\t.gitmodules\\n' $evil | git mktree)`,
  ],
]
for (const [title, lines] of evilTrees) {
  test(`pushes a tree with ${title}: refused, and no branch moves`, async () => {
    const commit = (await commitOf(lines)).split('\n').at(-1)!
    assert.match(commit, /^[0-9a-f]{40}$/)
    const refused = await push(sandbox, commit, 'agent/evil')
    assert.partialDeepStrictEqual(refused, { pushed: false, reason: 'bad_pack' })
    assert.ok(!(await host.mirror(ref)).branches.has('agent/evil'))
  })
}

test('pushes a pack that lacks what its commit needs, or that is none: refused', async () => {
  const commit = await headOf(sandbox)
  const { Readable } = await import('node:stream')
  for (const bytes of [Buffer.from('PACK but not really'), Buffer.alloc(0), Buffer.alloc(64 * 1024, 'x')]) {
    const pushing = host.push(ref, {
      branch: 'agent/broken',
      expected: null,
      commit: commit.replace(/./g, '1'),
      pack: Readable.from([bytes]),
      stillAllowed: async () => true,
      signal,
    })
    assert.partialDeepStrictEqual(await pushing, { pushed: false })
  }
  assert.ok(!(await host.mirror(ref)).branches.has('agent/broken'))
})

test('writes into the objects that all runs of the repository read: read-only, and nothing else of the repository is there', async () => {
  const objects = sandbox.paths.mounts.objects!
  const text = await sayIn(
    sandbox,
    `git cat-file -p ${begin}:file.txt; touch ${objects}/mine; rm -rf ${objects}/pack; echo x > ${objects}/info/alternates; find ${path.dirname(objects)} ${objects}/.. -maxdepth 1 -printf '%f\\n'`,
  )
  assert.match(text, /a file/)
  // gVisor looks at whose they are first, and its tries leave them as they are, too.
  assert.match(text, hasOwnKernel ? /Permission denied/ : /Read-only/)
  assert.doesNotMatch(text, /^(config|hooks|HEAD|refs)$/m)
  assert.equal(
    execFileSync('git', ['--git-dir', path.join(base, 'git/1/1.git'), '-c', 'safe.directory=*', 'fsck'], {
      encoding: 'utf8',
    }),
    '',
  )
})

test('borrows objects from elsewhere on the machine, through links and alternates: they are not there', async () => {
  const other = path.join(base, 'other')
  execFileSync('git', ['init', '-q', other])
  const blob = execFileSync('git', ['-C', other, 'hash-object', '-w', '--stdin'], {
    input: 'CANARY',
    encoding: 'utf8',
  }).trim()
  chmodSync(other, 0o755)
  const text = await attempt(
    `rm -rf borrow; git init -q borrow; cd borrow; echo ${other}/.git/objects > .git/objects/info/alternates; git cat-file -p ${blob}
     git -c protocol.file.allow=always clone -q ${other} cloned; git fetch -q file://${other}; ls cloned`,
  )
  assert.doesNotMatch(text, /CANARY/)
  assert.match(text, /No such file|does not exist|not a git repository/i)
  assert.ok((await attacker.readFile('borrow/.git/objects/info/alternates')).length > 0)
})
