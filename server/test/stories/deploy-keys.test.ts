import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { findPort } from '#process/find-port.ts'
import { startProcess, startService, stopProcess } from '#test/service.ts'
import { makeSshKey, sshOptions, sshWorkTree } from '#test/ssh-client.ts'
import { testDb } from '#test/test-db.ts'

const run = promisify(execFile)
const main = path.join(import.meta.dirname, '../../src/main.ts')

test('a server pushes and clones with its key, before and after a restart, and knows whom it talks to', async () => {
  const db = await testDb()
  const port = await findPort('127.0.0.1')
  const ssh = { RUNWRIGHT_SSH_PORT: String(port), RUNWRIGHT_SECRET_KEY: 'the same in every process '.repeat(2) }
  const service = await startService({ databaseUrl: db.url, role: 'api', env: ssh })
  const repos = `/v1/organizations/${service.organizationId}/repos`
  const { id } = await service.call<{ id: number }>('POST', repos, { name: 'web' })
  const { ssh_url: address } = await service.call<{ ssh_url: string }>('GET', `${repos}/${id}`)
  assert.match(
    address,
    new RegExp(`^ssh://git@(localhost|127\\.0\\.0\\.1):${port}/${service.organizationId}/web\\.git$`),
  )
  const key = await makeSshKey()
  const body = { title: 'Build server', key: key.line, can_push: true }
  await service.call('POST', `${repos}/${id}/deploy-keys`, body)

  const env = { ...ssh, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: service.dataDir, HOST: '127.0.0.1' }
  const doctor = run(process.execPath, [main, 'doctor'], { env: { PATH: process.env.PATH, ...env } })
  const { stdout } = await doctor.catch((error: { stdout: string }) => error)
  const { stdout: scanned } = await run('ssh-keyscan', ['-p', String(port), '127.0.0.1'])
  const [, shown = ''] = /host key (SHA256:\S+) \(ED25519\)/.exec(stdout) ?? []
  const listed = await new Promise<string>((resolve, reject) => {
    const child = execFile('ssh-keygen', ['-l', '-f', '-'], (error, out) => (error ? reject(error) : resolve(out)))
    child.stdin?.end(scanned)
  })
  assert.ok(shown && listed.includes(shown), `${stdout}\n${listed}`)

  const at = address.replace('localhost', '127.0.0.1')
  const tree = await sshWorkTree(key)
  await tree.git('config', 'core.sshCommand', `ssh ${(await sshOptions(key, scanned)).join(' ')}`)
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', at, 'main')
  await stopProcess(service.child)
  const { child, ready } = startProcess('api', { env, onSaid: () => {} })
  after(() => stopProcess(child))
  await ready
  assert.match(await tree.git('ls-remote', at), new RegExp(`^${first}\tHEAD`))
  const second = startProcess('api', { env, onSaid: () => {} })
  await assert.rejects(second.ready, /Port \d+ is in use\. Set RUNWRIGHT_SSH_PORT to another one\./)
})
