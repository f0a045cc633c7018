import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { makeRepository } from '#test/example-repository.ts'
import { sayIn, testLimits } from '#test/test-sandboxes.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { takePack } from './take-pack.ts'
import { NoSnapshot, takeSnapshot, type Snapshot } from './take-snapshot.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-snapshots-'))
chmodSync(folder, 0o711)
const isRoot = process.getuid?.() === 0
const uid = 64_900
const provider = openBubblewrap({ folder: path.join(folder, 'sandboxes'), ...(isRoot && { uid }) })
const host = openLocalHost({
  folder: path.join(folder, 'git'),
  importPaths: [os.tmpdir()],
  ...(isRoot && { readableBy: { gid: uid } }),
})
after(async () => {
  for (const id of await provider.list()) await provider.remove(id)
  await rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()
const files = {
  'kept.txt': 'kept\n',
  'gone.txt': 'gone\n',
  'changed.txt': 'before\n',
  'tracked.log': 'tracked\n',
  'deep/a.txt': 'a\n',
}
const empty = { organizationId: 1, path: '1/2.git' }
await host.createRepository(empty, { defaultBranch: 'main' })
const filled = { organizationId: 1, path: '1/3.git' }
await host.importRepository(filled, makeRepository({ ...files, '.gitignore': 'built/\n*.tmp\n' }))
const base = (await host.mirror(filled)).branches.get('main')!

type Source = { ref: typeof empty; commit: string | null }
const repository: Source = { ref: filled, commit: base }
let made = 0

async function open(source: Source, snapshot: { commit: string; pack: Buffer } | null = null): Promise<Sandbox> {
  const { objectsPath } = await host.mirror(source.ref)
  const sandbox = await provider.create({ id: `test-${++made}`, limits: testLimits, mounts: { objects: objectsPath } })
  const { commit } = source
  await checkOut(sandbox, { branch: 'work', baseBranch: 'main', baseCommit: commit, commit, snapshot, signal })
  return sandbox
}

const take = (sandbox: Sandbox, known: string | null = null) => takeSnapshot({ sandbox, known, signal })

/** The same work tree in another sandbox, which knows the host's objects and the pack alone. */
async function carryOver(sandbox: Sandbox, source = repository): Promise<Sandbox> {
  const snapshot = await take(sandbox)
  assert.ok(snapshot)
  const { commit, also, gitFolder } = snapshot
  const without = source.commit ? [source.commit] : []
  await using pack = await takePack({ sandbox, commit, also, without, folder, gitFolder, signal })
  assert.deepEqual(await host.check(source.ref, { commit, pack: pack.read() }), { isWhole: true })
  return open(source, { commit, pack: Buffer.concat(await pack.read().toArray()) })
}

/** What a person would look at. */
const stateOf = (sandbox: Sandbox) =>
  sayIn(
    sandbox,
    `exec 2>&1; git symbolic-ref HEAD; git log --format=%H; git status --porcelain; git diff HEAD
find . -path ./.git -prune -o ! -type d ! -path './built/*' -printf '%p %m %l\\n' | sort; cat *.txt 2>/dev/null`,
  )

test('a work tree is carried over as it stands: new, changed, moved and removed files, modes, links and commits', async () => {
  await using sandbox = await open(repository)
  await sayIn(
    sandbox,
    `echo after > changed.txt; git commit -qam 'One of the agent'; echo later >> changed.txt; rm gone.txt; mkdir new
echo new > 'new/with spaces and ümlaut.txt'; printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh; ln -s kept.txt link; ln -s /etc/passwd out
mv deep/a.txt deep/b.txt; rm -r deep; ln -s new deep; echo a > new/a.txt; mkdir built; echo x > built/x; echo x > x.tmp; mkdir -p .runwright/artifacts; echo r > .runwright/artifacts/r`,
  )
  await using other = await carryOver(sandbox)
  const state = await stateOf(sandbox)
  assert.match(state, /later/)
  assert.equal(await stateOf(other), state.replace('./x.tmp 644 \n', ''))
  assert.equal(
    await sayIn(other, 'ls built x.tmp 2>/dev/null; cat .runwright/artifacts/r; readlink out'),
    'r\n/etc/passwd',
  )
})

test('files that are tracked although they are ignored are carried over too', async () => {
  await using sandbox = await open(repository)
  await sayIn(
    sandbox,
    `echo '*.log' >> .gitignore; echo x > forced.log; git add -f forced.log; echo more >> forced.log`,
  )
  await using other = await carryOver(sandbox)
  assert.equal(await sayIn(other, 'cat tracked.log forced.log'), 'tracked\nx\nmore')
})

test('what agents keep in their homes is carried over, and their caches are not', async () => {
  await using sandbox = await open(repository)
  await sayIn(
    sandbox,
    `mkdir -p ~/.agents/one/.cache ~/.agents/one/sessions ~/.agents/two; cd ~/.agents; echo first > one/sessions/a.json; echo x > one/.cache/x
git init -q --bare two/bare; git init -q two/work; echo '*' > two/.gitignore; echo kept > two/work/kept; ln -s /etc/passwd one/link; mkfifo one/fifo
printf '#!/bin/sh\\n' > two/run; chmod +x two/run`,
  )
  const first = await take(sandbox)
  assert.ok(first)
  assert.equal(await take(sandbox, first.commit), null)
  await sayIn(sandbox, 'echo second > ~/.agents/one/sessions/a.json; rm ~/.agents/two/work/kept')
  assert.ok(await take(sandbox, first.commit), 'what is written there alone is a change')
  await using other = await carryOver(sandbox)
  assert.equal(
    await sayIn(
      other,
      'cd ~/.agents; cat one/sessions/a.json; test -x two/run && ls -A one two; git -C two/bare rev-parse --git-dir',
    ),
    'second\none:\nfifo\nlink\nsessions\n\ntwo:\n.gitignore\nbare\nrun\nwork\n.',
  )
  assert.equal(await sayIn(other, 'git status --porcelain; ls -A .git | grep homes || echo none'), 'none')
})

test('homes of agents that are too large are left behind, and the work tree is not', async () => {
  await using sandbox = await open(repository)
  await sayIn(sandbox, 'mkdir -p ~/.agents/one; head -c 40M /dev/urandom > ~/.agents/one/large; echo new > new.txt')
  await using other = await carryOver(sandbox)
  assert.equal(await sayIn(other, 'cat new.txt; ls ~/.agents 2>/dev/null || echo none'), 'new\nnone')
})

test('a repository without any commit is carried over', async () => {
  const source = { ref: empty, commit: null }
  await using sandbox = await open(source)
  await sayIn(sandbox, 'echo first > first.txt')
  await using other = await carryOver(sandbox, source)
  assert.equal(await stateOf(other), await stateOf(sandbox))
  assert.match(
    await sayIn(other, 'git commit -qam x; git add . && git commit -qm First && git log --format=%s'),
    /First$/,
  )
})

test("the agent's own index, branches and settings stay as they are", async () => {
  await using sandbox = await open(repository)
  await sayIn(sandbox, 'echo staged > staged.txt; git add staged.txt; echo not > not.txt')
  const look = `git status --porcelain; git for-each-ref; git config -l --local; find .git -newer kept.txt -type f | grep -v index | sort`
  const before = await sayIn(sandbox, look)
  assert.ok(await take(sandbox))
  assert.equal(await sayIn(sandbox, look), before)
})

test('where nothing has changed since the known snapshot there is none, and a commit alone is a change', async () => {
  await using sandbox = await open(repository)
  await sayIn(sandbox, 'echo a > new.txt')
  const first = await take(sandbox)
  assert.equal(await take(sandbox, first!.commit), null)
  await sayIn(sandbox, 'cat *.txt; git status; mkdir -p built; touch built/x')
  assert.equal(await take(sandbox, first!.commit), null)
  await sayIn(sandbox, 'git add .; git commit -qm Kept')
  const second = await take(sandbox, first!.commit)
  assert.notEqual(second?.commit, undefined)
  await sayIn(sandbox, 'touch -d 2001-01-01 x; mv x kept.txt')
  assert.ok(await take(sandbox, second!.commit), 'a file that pretends to be old is seen')
})

test('snapshot after snapshot holds the work tree as it stands', async () => {
  await using sandbox = await open(repository)
  const changes = [
    'echo 1 > one.txt; git init -q nested; echo n > nested/n',
    'echo 2 > two.txt; git add two.txt; rm kept.txt; echo "*.tmp2" >> .gitignore',
    'echo x > x.tmp2; git add -f x.tmp2; echo y >> x.tmp2; rm one.txt; mkdir one.txt; echo in > one.txt/in',
    `head -c ${limits.checkpointBytesMax} /dev/zero > large; echo more >> two.txt`,
    'rm -r large nested; git commit -qam All; mv deep moved; ln -s moved deep',
  ]
  let known: string | null = null
  for (const change of changes) {
    await sayIn(sandbox, change)
    const taken: Snapshot | Error = await take(sandbox, known).catch((error: Error) => error)
    if (taken instanceof Error) {
      assert.match(taken.message, /larger than/)
      known = null
      continue
    }
    known = taken!.commit
    const at = `GIT_DIR=${taken!.gitFolder} GIT_WORK_TREE=/tmp/seen`
    await sayIn(
      sandbox,
      `rm -rf /tmp/seen; mkdir /tmp/seen; ${at} GIT_INDEX_FILE=/tmp/index git read-tree --reset -u ${known}`,
    )
    const differences = 'diff -r --no-dereference --exclude=.git --exclude=nested . /tmp/seen'
    assert.equal(await sayIn(sandbox, differences), '')
  }
  assert.ok(known)
})

test('what a hostile work tree holds keeps nothing from running, and makes git run nothing of its own', async () => {
  await using sandbox = await open(repository)
  await sayIn(
    sandbox,
    `git config core.fsmonitor 'touch /tmp/ran'; git config core.hooksPath .hooks; git config filter.x.clean 'touch /tmp/ran; cat'
mkdir .hooks; printf '#!/bin/sh\\ntouch /tmp/ran\\n' | tee .hooks/post-index-change > .hooks/pre-commit; chmod +x .hooks/*
echo '* filter=x' > .gitattributes; git init -q nested; echo n > nested/n.txt; git init -q born
cd born && echo b > b.txt && git add . && git commit -qm b; cd ..; git init -q --bare bare; mkfifo pipe; echo mine > mine.txt
ln -s / root; ln -s .git/config config; mkdir -p 'a
b'; echo c > 'a
b/-c'; rm -f /tmp/ran`,
  )
  await using other = await carryOver(sandbox)
  assert.equal(await sayIn(sandbox, 'ls /tmp/ran 2>/dev/null'), '')
  assert.equal(
    await sayIn(
      other,
      `cat mine.txt 'a\nb/-c'; readlink root config; ls nested born 2>/dev/null; ls /tmp/ran 2>/dev/null`,
    ),
    'mine\nc\n/\n.git/config',
  )
})

const refused: [title: string, shell: string, reason: RegExp][] = [
  ['files that are too large', `truncate -s ${limits.checkpointBytesMax + 1} large`, /larger than/],
  ['no repository any more', 'rm -rf .git', /no repository/],
  ['a repository that is a link', 'mv .git /tmp/elsewhere; ln -s /tmp/elsewhere .git', /no repository/],
  ['an index that is none', 'echo x > .git/index; echo x > new', /index/],
  ['objects that are gone', 'echo lost > l; git add l; git commit -qm l; rm -rf .git/objects/??', /./],
]
for (const [title, shell, reason] of refused) {
  test(`there is no snapshot of ${title}, with a reason`, async () => {
    await using sandbox = await open(repository)
    await sayIn(sandbox, shell)
    await assert.rejects(take(sandbox), (error) => error instanceof NoSnapshot && reason.test(error.message))
  })
}

test('how much may have changed is for the caller to say', async () => {
  await using sandbox = await open(repository)
  await sayIn(sandbox, 'truncate -s 5000 large')
  const take = (bytesMax: number) => takeSnapshot({ sandbox, known: null, bytesMax, signal })
  await assert.rejects(take(4_999), { name: 'NoSnapshot', message: 'the changed files are larger than 4999 bytes' })
  assert.ok(await take(5_000))
})

test('a name that git takes for its own folder comes into no snapshot', async () => {
  await using sandbox = await open(repository)
  await sayIn(sandbox, 'mkdir -p sub/.GIT; echo x > sub/.GIT/config; echo y > sub/y')
  const taken = await take(sandbox).catch((error: unknown) => error)
  if (taken instanceof NoSnapshot) return
  const { commit, gitFolder } = taken as { commit: string; gitFolder: string }
  assert.doesNotMatch(await sayIn(sandbox, `GIT_DIR=${gitFolder} git ls-tree -r --name-only ${commit}`), /\.git\//i)
})
