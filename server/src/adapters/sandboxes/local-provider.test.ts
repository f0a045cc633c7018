/** How sandboxes end, and what the next service finds of them. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, processTree, sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'
import { findControlGroups } from './control-groups.ts'
import { readRecords } from './process-record.ts'

const COMMAND_MS = 20_000

const { folder, provider, firstPid } = testSandboxes()

test('leaves no process of a stopped sandbox', async () => {
  const other = await provider.create({ id: 'stopped', limits: testLimits })
  const shell = 'for i in 1 2 3; do setsid nohup sleep 600 & done; trap "" TERM; sleep 600'
  const running = other.exec({ shell, timeoutMs: COMMAND_MS })
  const first = firstPid('stopped')
  await until(() => processTree(first).length >= 6, 'they run')
  const pids = processTree(first)
  await other.stop('enough')
  assert.deepEqual(pids.filter(isAlive), [])
  assert.equal((await running.result).reason, 'sandbox_lost')
})

test('a kill that comes after the end of its command ends nothing later', async () => {
  await using sandbox = await provider.create({ id: 'killed-late', limits: testLimits })
  const running = sandbox.exec({ shell: 'true', timeoutMs: COMMAND_MS })
  await running.result
  running.kill()
  // Longer than a command has that was killed.
  await sleep(8_500)
  assert.equal(await sayIn(sandbox, 'echo here'), 'here')
})

/** A shell makes the file before it writes to it. */
const hasContent = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

const owners: ChildProcess[] = []
after(() => owners.forEach((owner) => owner.kill('SIGKILL')))

/** Another service with a sandbox of id `owned` at work. Says how that closed, if it learns of it. */
async function startOwner(): Promise<{ owner: ChildProcess; pids: number[]; said: () => string }> {
  const program = `
    import { openBubblewrap } from ${JSON.stringify(new URL('./bubblewrap.ts', import.meta.url).href)}
    const provider = openBubblewrap({ folder: process.argv[1] })
    const sandbox = await provider.create({ id: 'owned', limits: ${JSON.stringify(testLimits)} })
    sandbox.exec({ shell: 'setsid sleep 600 & echo begun > begun; sleep 600', timeoutMs: 600000 })
    console.log((await sandbox.closed).reason)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // One that a failed test leaves frozen would keep this file from ever ending.
  owners.push(owner)
  let text = ''
  owner.stdout.on('data', (chunk: Buffer) => (text += chunk))
  const records = path.join(folder, 'owned/processes.json')
  const begun = path.join(folder, 'owned/workspace/begun')
  await until(
    () => hasContent(begun) && readRecords(records).length === 2 && processTree(firstPid('owned')).length >= 4,
    'it is at work',
  )
  return { owner, pids: processTree(firstPid('owned')), said: () => text }
}

test('leaves no process when the service was killed', async () => {
  const { owner, pids } = await startOwner()
  owner.kill('SIGKILL')
  await until(() => !pids.some(isAlive), 'all are gone')
  await provider.remove('owned')
})

test('leaves no control group of a sandbox whose files were lost with its service', async () => {
  const groups = findControlGroups(path.resolve(folder))
  const { owner, pids } = await startOwner()
  const kept = await provider.create({ id: 'kept', limits: testLimits })
  owner.kill('SIGKILL')
  await until(() => !pids.some(isAlive), 'all are gone')
  await rm(path.join(folder, 'owned'), { recursive: true })
  assert.ok(!(await provider.list()).includes('owned'))
  assert.deepEqual(groups?.list().map(({ id }) => id) ?? ['kept'], ['kept'])
  assert.equal(await sayIn(kept, 'echo unharmed'), 'unharmed')
  await provider.remove('kept')
})

test('removes what a service has left that was killed while it tested its machine, and nothing of one that tests it now', async () => {
  const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const program = `
    import { openBubblewrap } from ${urlOf('./bubblewrap.ts')}
    import { newProbeId } from ${urlOf('./probe-id.ts')}
    const provider = openBubblewrap({ folder: process.argv[1] })
    const sandbox = await provider.create({ id: newProbeId(), limits: ${JSON.stringify(testLimits)} })
    console.log('begun')
    await sandbox.closed`
  const tester = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  owners.push(tester)
  await once(tester.stdout, 'data')
  const listProbes = async () => (await provider.list()).filter((id) => id.startsWith('probe-'))
  const [id = ''] = await listProbes()
  assert.deepEqual(await listProbes(), [id])
  tester.kill('SIGKILL')
  await once(tester, 'exit')
  assert.deepEqual(await listProbes(), [])
  assert.ok(!existsSync(path.join(folder, id)))
  assert.deepEqual(findControlGroups(path.resolve(folder))?.list() ?? [], [])
})

test('replaces the sandbox of a service that is frozen, and suffers nothing when that wakes up', async () => {
  const { owner, pids, said: text } = await startOwner()
  owner.kill('SIGSTOP')
  const next = await provider.create({ id: 'owned', limits: testLimits })
  assert.deepEqual(pids.filter(isAlive), [])
  assert.equal((await next.readFile('begun')).toString(), 'begun\n')
  owner.kill('SIGCONT')
  await once(owner, 'exit')
  assert.equal(text(), 'lost\n')
  assert.equal(await sayIn(next, 'echo unharmed'), 'unharmed')
  assert.equal(readRecords(path.join(folder, 'owned/processes.json')).length, 2)
  await provider.remove('owned')
})

test('removes folders without permissions and paths without end', async () => {
  const other = await provider.create({ id: 'maze', limits: testLimits })
  const dig = 'my $name = "d" x 100; for (1 .. 200) { mkdir $name; chdir $name }'
  await other.exec({
    shell: `perl -e '${dig}'; mkdir -p a/b/c; touch a/b/c/file; ln -s /etc etc; chmod 000 a/b/c a/b a`,
    timeoutMs: COMMAND_MS,
  }).result
  await provider.remove('maze')
  assert.ok(!existsSync(path.join(folder, 'maze')))
  assert.ok(existsSync('/etc/passwd'))
})
