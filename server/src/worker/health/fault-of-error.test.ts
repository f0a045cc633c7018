import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { BlobsUnavailable } from '#adapters/blobs/blob-store.ts'
import { GitHostUnreachable, HostError } from '#adapters/codehosts/code-host.ts'
import { isTransportFault, reachGit } from '#adapters/codehosts/local/reach-git.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import { SandboxFileError } from '#adapters/sandboxes/sandbox.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { faultOfError } from './fault-of-error.ts'

const errnoError = (code: string, syscall?: string) =>
  Object.assign(new Error(`${code}: no`), { code, ...(syscall && { syscall }) })

test('a full or broken disk, too many files and a store or host that is away are faults of the machine', async () => {
  const full = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  assert.equal(faultOfError(full), 'disk_full')
  assert.equal(faultOfError(new Error('wrapped', { cause: new Error('again', { cause: full }) })), 'disk_full')
  assert.equal(faultOfError(errnoError('EIO', 'write')), 'disk_fault')
  assert.equal(faultOfError(errnoError('EROFS', 'open')), 'disk_fault')
  assert.equal(faultOfError(errnoError('EMFILE', 'open')), 'files_exhausted')
  assert.equal(faultOfError(errnoError('EAGAIN', 'spawn git')), 'files_exhausted')
  assert.equal(faultOfError(new BlobsUnavailable('away')), 'blobs_unreachable')
  assert.equal(faultOfError(new GitHostUnreachable('away')), 'git_unreachable')
  const started = new RunFailure('sandbox_failed', 'no', { cause: new Error('bwrap') })
  assert.equal(faultOfError(started), 'sandbox_failed')
  assert.equal(faultOfError(new RunFailure('sandbox_failed', 'no', { cause: full })), 'disk_full')
})

test('what a repository, its owner, an engine or a program inside may cause is not', () => {
  const others = [
    new SandboxFileError('ENOSPC', '/workspace/big'),
    new RunFailure('engine_error', 'ENOSPC', { cause: new SandboxFileError('ENOSPC', '/workspace/big') }),
    new RunFailure('setup_failed', 'No space left on device'),
    new RunFailure('base_branch_not_found', 'no'),
    new EngineError('engine_error', 'EMFILE: too many open files'),
    new HostError('unavailable', "The repository's host does not let git in: no space left on device."),
    new HostError('not_found', 'no'),
    // Of no call of ours: an answer that says so.
    errnoError('ENOSPC'),
    'ENOSPC',
    undefined,
  ]
  for (const error of others) assert.equal(faultOfError(error), undefined, String(error))
  const circle = new Error('a')
  circle.cause = circle
  assert.equal(faultOfError(circle), undefined)
})

test('git that cannot speak with the host is one thing, git that is refused another', async () => {
  const unable = `fatal: unable to access 'http://127.0.0.1:1/x.git/': `
  assert.ok(isTransportFault(`${unable}Failed to connect to 127.0.0.1 port 1`))
  assert.ok(isTransportFault(`${unable}server certificate verification failed. CAfile: none`))
  assert.ok(isTransportFault(`${unable}The requested URL returned error: 503`))
  assert.ok(isTransportFault('error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502'))
  assert.ok(!isTransportFault(`${unable}The requested URL returned error: 403`))
  assert.ok(isTransportFault('error: RPC failed; curl 56 Recv failure: Connection reset by peer'))
  assert.ok(!isTransportFault('error: RPC failed; HTTP 401 curl 22 The requested URL returned error: 401'))
  assert.ok(!isTransportFault(`Cloning into 'x'...\r\n${unable}The requested URL returned error: 404\r\n`))
  // Another line that speaks of a refusal does not make a fault one.
  for (const other of [
    'remote: : The requested URL returned error: 403',
    'fatal: : The requested URL returned error: 403',
    'error: RPC failed; HTTP 403 curl 22: The requested URL returned error: 403',
  ]) {
    assert.ok(isTransportFault(`${other}\n${unable}Failed to connect`), other)
    assert.ok(isTransportFault(`${unable}Failed to connect\n${other}`), other)
    assert.ok(!isTransportFault(other), other)
  }
  assert.ok(!isTransportFault(`error: RPC failed; curl 22\n${unable}The requested URL returned error: 403`))
  assert.ok(isTransportFault(`${unable}The requested URL returned error: 4`))
  assert.ok(!isTransportFault(`error: RPC failed; HTTP 4\n HTTP 5`))
  assert.ok(!isTransportFault(''))
  assert.ok(!isTransportFault("fatal: repository 'http://127.0.0.1:1/x.git/' not found"))
  assert.ok(!isTransportFault('remote: fatal: unable to access this, said a branch'))
  assert.ok(!isTransportFault('fatal: fsck error in packed object'))
  await assert.rejects(reachGit('http://127.0.0.1:1'), GitHostUnreachable)
  await assert.rejects(reachGit('http://nowhere.invalid'), GitHostUnreachable)
})

test('a host that refuses is reached', async () => {
  const program = `require('node:http').createServer((_, answer) => answer.writeHead(401).end()).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
  await reachGit(`http://127.0.0.1:${port.trim()}`)
  server.kill()
})
