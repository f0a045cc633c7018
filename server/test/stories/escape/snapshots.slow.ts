/** Ways out through what is kept of a sandbox: its files, its checkpoints, its id. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { sayIn, testLimits, until } from '#test/test-sandboxes.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { takePack } from '#worker/runs/steps/take-pack.ts'
import { takeSnapshot } from '#worker/runs/steps/take-snapshot.ts'
import { COMMAND_MS, isRoot, openAttack, openUnderTest } from './attack.ts'
import { openRepository } from './open-repository.ts'

const attack = await openAttack()
const { base, folder, provider, neighbour, openMore } = attack
const { signal } = new AbortController()
const { host, ref, objectsPath, begin } = await openRepository(attack, { file: 'first\n' })

type Kept = { commit: string; pack: Buffer }

async function open(id: string, snapshot: Kept | null = null): Promise<Sandbox> {
  const sandbox = await provider.create({ id, limits: testLimits, mounts: { objects: objectsPath } })
  await checkOut(sandbox, {
    branch: 'work',
    baseBranch: 'main',
    baseCommit: begin,
    origin: null,
    commit: begin,
    snapshot,
    signal,
  })
  return sandbox
}

async function keep(sandbox: Sandbox): Promise<Kept> {
  const snapshot = await takeSnapshot({ sandbox, known: null, signal })
  assert.ok(snapshot)
  const { commit, gitFolder } = snapshot
  await using pack = await takePack({ sandbox, commit, without: [begin], folder: base, gitFolder, signal })
  assert.deepEqual(await host.check(ref, { commit, pack: pack.read() }), { isWhole: true })
  return { commit, pack: Buffer.concat(await pack.read().toArray()) }
}

test('changes what was kept by changing what was restored of it: each has its own', async () => {
  await using first = await open('first')
  await sayIn(first, 'mkdir deps; echo v1 > deps/index.js; echo changed > file.txt')
  const kept = await keep(first)
  await using one = await open('one', kept)
  await using two = await open('two', kept)
  assert.equal(
    await sayIn(one, 'cat deps/index.js file.txt; echo MINE > deps/index.js; git gc -q; mv deps gone'),
    'v1\nchanged',
  )
  assert.equal(await sayIn(two, 'cat deps/index.js file.txt; ls'), 'v1\nchanged\ndeps\nfile.txt')
  await using later = await open('later', kept)
  assert.equal(await sayIn(later, 'cat deps/index.js'), 'v1')
})

test('keeps what was restored, changed: nothing of the first comes back, nothing else comes along', async () => {
  await using first = await open('stack-1')
  await sayIn(
    first,
    'echo one > one.txt; mkdir deps; echo x > deps/x; echo HOME > ~/kept-at-home; echo TMP > /tmp/kept',
  )
  await using second = await open('stack-2', await keep(first))
  await sayIn(second, 'rm -rf deps one.txt; echo two > two.txt')
  await using third = await open('stack-3', await keep(second))
  assert.equal(await sayIn(third, 'ls; find ~ /tmp -name "*kept*"; cat two.txt'), 'file.txt\ntwo.txt\ntwo')
})

test('lets a process of a run that is over write on into what the next one finds: it is gone before', async () => {
  const first = await openMore('again')
  const running = first.exec({
    shell: '(setsid nohup bash -c "while :; do date >> writer.log; sleep 0.01; done" > /dev/null 2>&1 &); sleep 600',
    timeoutMs: COMMAND_MS,
  })
  await until(async () => (await sayIn(first, 'wc -c < writer.log')) > '0', 'it writes')
  const next = await openMore('again')
  assert.equal((await running.result).reason, 'sandbox_lost')
  const size = await sayIn(next, 'wc -c < writer.log')
  await sayIn(next, 'for i in 1 2 3 4 5 6 7 8 9; do ls -lR / > /dev/null 2>&1; done')
  assert.equal(
    await sayIn(next, 'wc -c < writer.log; echo /proc/[0-9]* | wc -w | xargs test 12 -ge && echo quiet'),
    `${size}\nquiet`,
  )
})

test('has a checkpoint with a file of the machine in it, by a link: the link is kept, and what it names is not', async () => {
  await using first = await open('links')
  await sayIn(first, 'ln -s /etc/passwd passwords; ln -s / root; ln -s /proc/1/environ environment')
  await using other = await open('links-restored', await keep(first))
  assert.equal(await sayIn(other, 'readlink passwords root environment'), '/etc/passwd\n/\n/proc/1/environ')
  assert.doesNotMatch(await sayIn(other, 'cat passwords environment'), /CANARY|:x:[1-9]\d?:/)
})

test('takes an id that is a path, or that of a neighbour: refused, or it is that one', async () => {
  for (const id of ['../x', 'a/b', '', '.', '..', 'A', 'x'.repeat(80), 'x\0y', '-x', 'processes.json'])
    await assert.rejects(provider.create({ id, limits: testLimits }), /not the id of a sandbox/)
  await assert.rejects(provider.remove('../attacker'), /not the id of a sandbox/)
  await assert.rejects(
    provider.create({ id: 'mount', limits: testLimits, mounts: { '../../etc': base } }),
    /not the name of a mount/,
  )
  assert.equal(await sayIn(neighbour, 'cat private.txt'), 'CANARY-OF-THE-NEIGHBOUR')
})

test('is started where what isolates is missing, or as user 0: refused, and nothing runs without isolation', async () => {
  const without = openUnderTest({ folder: path.join(base, 'without'), isMissing: true })
  const advice = /apt-get install bubblewrap|start the container engine/
  await assert.rejects(without.create({ id: 'any', limits: testLimits }), advice)
  assert.equal((await without.probe()).isolated, false)
  if (isRoot) assert.throws(() => openUnderTest({ folder, uid: 0 }), /must not run as user 0/)
})

test('leaves folders without permissions, paths without end and links to the machine: all of it goes, and only that', async () => {
  const maze = await openMore('maze')
  const dig = 'my $name = "d" x 7; for (1 .. 1500) { mkdir $name; chdir $name }'
  await maze.exec({
    shell: `perl -e '${dig}'; mkdir -p a/b/c; touch a/b/c/file; ln -s /etc etc; ln -s ${folder} all; chmod 000 a/b/c a/b a . ~`,
    timeoutMs: COMMAND_MS,
  }).result
  await provider.remove('maze')
  assert.ok(!existsSync(path.join(folder, 'maze')))
  assert.ok(existsSync('/etc/passwd'))
  assert.equal(await sayIn(neighbour, 'cat private.txt'), 'CANARY-OF-THE-NEIGHBOUR')
})

test('outlives the service as folders: whoever cleans up finds them, and keeps what is at work', async () => {
  mkdirSync(path.join(folder, 'dead-one/workspace'), { recursive: true })
  const ids = await provider.list()
  assert.ok(ids.includes('dead-one') && ids.includes('neighbour'))
  await provider.remove('dead-one')
  assert.ok(!existsSync(path.join(folder, 'dead-one')))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.removed-')),
    [],
  )
  assert.equal(await sayIn(neighbour, 'echo fine'), 'fine')
})
