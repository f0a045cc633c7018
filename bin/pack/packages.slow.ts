import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type * as Sdk from '@runwright/sdk'
import { openBrowser } from '../../web/e2e/open-browser.ts'
import { leftToOther } from '../../server/test/cases-of-commit.ts'
import { startEngine } from '../../server/test/container-engine.ts'
import { listProcesses } from '../../server/test/list-processes.ts'
import { makeImage, makePackages } from './make-image.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'packages-'))
chmodSync(folder, 0o711)
let packages = ''
/** The machine's own Node, not the one that runs the tests. */
const systemNode = (process.env.PATH ?? '')
  .split(':')
  .map((each) => path.join(each, 'node'))
  .find(isProgram)
const port = 3_000 + (process.pid % 900)
const url = `http://localhost:${port}`
/** npm fetches 100 packages. */
const patience = { timeout: 600_000 }
const running: ChildProcess[] = []
let token = ''
let organizationId = 0

/** As a person's shell has it: nothing of these tests and nothing of the clone. */
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  RUNWRIGHT_URL: url,
}

before(async () => {
  packages = await makePackages()
}, patience)

after(async () => {
  for (const child of running) await stop(child)
  rmSync(folder, { recursive: true, force: true })
})

test(
  'the service starts from its tarball alone, in an empty folder, with whatever Node the machine has',
  patience,
  async () => {
    const project = emptyProject('service')
    await install(project, 'runwright')
    const data = path.join(project, 'data')
    const { line, child } = await start(path.join(project, 'node_modules/.bin/runwright'), {
      cwd: project,
      data,
    })
    assert.match(line, new RegExp(`at ${url},`))
    const page = await (await fetch(url)).text()
    assert.match(page, /<title>Runwright<\/title>/)
    const client = await sdkOf(path.join(project, 'node_modules/runwright/node_modules/@runwright/sdk/src/client.js'))
    const { items } = await client.organizations.listOrganizations({})
    organizationId = items[0]!.id
    const script = [{ shell: 'rg --version' }, { answer: 'done' }]
    const body = { org_id: organizationId, prompt: 'Look', agent_type: 'scripted', metadata: { script } }
    const { id } = await client.runs.createRun(body)
    const outputs: string[] = []
    for await (const entry of client.runs.followLog({ org_id: organizationId, agent_run_id: id }))
      outputs.push(JSON.stringify(entry.observation))
    assert.match(outputs.join(), /ripgrep/)
    assert.equal((await client.runs.getRun({ org_id: organizationId, agent_run_id: id })).status, 'completed')
    assert.ok(child.exitCode === null)
  },
)

test('the command line is used from its tarball alone, also by programs', patience, async () => {
  const project = emptyProject('cli')
  await install(project, 'runwright-cli')
  const own = { cwd: project, env: { ...env, RUNWRIGHT_TOKEN: token } }
  const { stdout } = await run(systemNode ?? 'node', ['node_modules/.bin/runwright', 'list'], own)
  assert.match(stdout, /completed/)
  const program = `import { runProgram } from '@runwright/cli'; process.argv.splice(2, 9, 'get', '1'); await runProgram()`
  const got = await run(systemNode ?? 'node', ['--input-type=module', '-e', program], own)
  assert.match(got.stdout, /completed/)
})

test("the SDK is imported by the machine's Node and checked by the compiler of TypeScript", patience, async () => {
  const project = emptyProject('sdk')
  await install(project, 'runwright-sdk')
  const program = `import { createClient, RunwrightError } from '@runwright/sdk'
    const client = createClient({ baseUrl: '${url}', token: '${token}' })
    console.log((await client.runs.listRuns({ org_id: ${organizationId} })).total)
    await client.runs.getRun({ org_id: ${organizationId}, agent_run_id: 999 }).catch((error) => console.log(error instanceof RunwrightError, error.code))`
  const { stdout } = await run(systemNode ?? 'node', ['--input-type=module', '-e', program], { cwd: project })
  assert.equal(stdout, '1\ntrue run_not_found\n')

  const right = `import { createClient, type AgentRun } from '@runwright/sdk'
    export const start = (prompt: string): Promise<AgentRun> => createClient({ baseUrl: '' }).runs.createRun({ org_id: 1, prompt })\n`
  writeFileSync(path.join(project, 'right.ts'), right)
  writeFileSync(path.join(project, 'wrong.ts'), right.replace('prompt })', 'promt: prompt })'))
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const check = (file: string, moduleKind: string) =>
    spawnSync(
      process.execPath,
      [
        compiler,
        '--noEmit',
        '--strict',
        '--ignoreConfig',
        '--types',
        '',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
        '--module',
        moduleKind,
        file,
      ],
      { cwd: project, encoding: 'utf8' },
    )
  for (const moduleKind of ['nodenext', 'preserve']) {
    assert.equal(check('right.ts', moduleKind).stdout, '')
    assert.match(check('wrong.ts', moduleKind).stdout, /promt/)
  }
})

test('the SDK works in a browser, also on a page that did not come by HTTPS', patience, async (t) => {
  const sdk = path.join(folder, 'sdk/node_modules/@runwright/sdk/src')
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', url)
    if (pathname.startsWith('/sdk/'))
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(path.join(sdk, pathname.slice(5))))
    if (!pathname.startsWith('/v1/')) return response.setHeader('content-type', 'text/html').end('<title>Page</title>')
    const { host: _, connection: _connection, ...headers } = request.headers as Record<string, string>
    const body = request.method === 'POST' ? await new Response(request as never).text() : null
    const answer = await fetch(`${url}${request.url}`, { method: request.method ?? 'GET', headers, body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(await answer.text())
  }
  const pages = createServer((request, response) => void serve(request, response)).listen(0)
  t.after(() => pages.close())
  const { port: own } = pages.address() as { port: number }
  const browser = await openBrowser({ more: ['--host-resolver-rules=MAP runwright.test 127.0.0.1'] })
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://runwright.test:${own}/`)
  const program = `(async () => {
    const { createClient } = await import('/sdk/client.js')
    const client = createClient({ baseUrl: location.origin, token: '${token}' })
    const run = await client.runs.createRun({ org_id: ${organizationId}, prompt: 'Look', agent_type: 'scripted', metadata: { script: [{ answer: 'done' }] } })
    return [isSecureContext, run.prompt]
  })()`
  assert.deepEqual(await page.evaluate(program), [false, 'Look'])
})

test('the offline archive needs neither Node nor npm nor a network', patience, async () => {
  await Promise.all(running.splice(0).map(stop))
  const [archive] = globSync('runwright-*.tar.gz', { cwd: packages })
  await run('tar', ['-xzf', path.join(packages, archive!), '-C', folder], { cwd: folder })
  const program = path.join(folder, archive!.replace(/\.tar\.gz$/, ''), 'runwright')
  const bare = path.join(folder, 'programs')
  mkdirSync(bare)
  for (const name of readdirSync('/usr/bin'))
    if (!/^(?:node|npm|npx|corepack)/.test(name)) symlinkSync(path.join('/usr/bin', name), path.join(bare, name))
  const { line } = await start(program, { cwd: folder, data: path.join(folder, 'offline-data'), path: bare })
  assert.match(line, new RegExp(`at ${url},`))
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
})

test('the archive lists what is in it, with versions and licenses, and nothing of the machine that made it', () => {
  const [file] = globSync('runwright-*.cdx.json', { cwd: packages })
  const text = readFileSync(path.join(packages, file!), 'utf8')
  const { components } = JSON.parse(text) as { components: { name: string; version: string; licenses?: unknown[] }[] }
  const manifest = readFileSync(path.join(root, 'server/package.json'), 'utf8')
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
  for (const [name, version] of Object.entries(dependencies))
    assert.ok(
      components.some((each) => each.name === name && each.version === version && each.licenses?.length),
      name,
    )
  assert.ok(!text.includes(folder) && !text.includes(os.tmpdir()))
  assert.doesNotMatch(text, /"distribution"/)
})

test('an image of the archive works without a network, as a user without rights', patience, async (t) => {
  const engine = leftToOther(1, 2) || (await startEngine())
  if (typeof engine === 'string') return t.skip(engine)
  const podman = async (line: string, ...more: string[]) => {
    const words = ['--remote', '--url', `unix://${engine.socket}`, ...line.split(' '), ...more]
    return (await run('podman', words, { cwd: folder, env: process.env })).stdout
  }
  const image = await makeImage(engine)
  // The limits of this test's own processes may be lower than what the engine gives.
  const limits = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096'
  const read = `fetch('http://127.0.0.1:3900' + process.argv[1]).then(async (a) => console.log(a.status, process.getuid(), await a.text()))`
  const node = 'exec /opt/runwright/node_modules/node-*/bin/node -e "$0" "$1"'
  const look = async (name: string, options: string, part: string) => {
    await podman(`run --detach --name ${name} --network none --init ${limits} ${options} ${image} ${part}`)
    const ask = (route: string) => podman(`exec ${name} sh -c`, node, read, route)
    const until = Date.now() + 120_000
    let answer = ''
    while (!answer.startsWith('200')) {
      await pause(500)
      answer = await ask('/readyz').catch((error: Error) => error.message)
      if (Date.now() > until) assert.fail(`${answer}\n${await podman(`logs ${name}`)}`)
    }
    assert.match(answer, /^200 64800 /)
    assert.match(await ask('/'), /<title>Runwright<\/title>/)
    // Where no sandbox can be made, it ends with 1.
    return podman(`exec ${name} runwright doctor`).catch(({ stdout }: { stdout: string }) => stdout)
  }
  const names = ['api', 'all'].map((part) => `runwright-${part}-${process.pid}`)
  t.after(async () => {
    await podman(`rm --force --ignore --volumes --time 0 ${names.join(' ')}`)
    engine.stop()
  })
  assert.match(await look(names[0]!, '--env RUNWRIGHT_SCRIPTED=1', 'api'), /Git: 2\.[^]*NOT isolated/)
  const open = '--security-opt seccomp=unconfined --security-opt unmask=ALL'
  assert.match(await look(names[1]!, open, 'up'), /Sandbox \(bubblewrap\): isolated/)
})

test('what is stopped leaves no process behind', patience, async () => {
  await Promise.all(running.splice(0).map(stop))
  assert.deepEqual(
    listProcesses().filter(({ words }) => words.some((word) => word.startsWith(folder))),
    [],
  )
})

type Place = { cwd: string; env?: NodeJS.ProcessEnv }

async function run(program: string, words: string[], { cwd, env: own = env }: Place) {
  return promisify(execFile)(program, words, { cwd, env: own, encoding: 'utf8', maxBuffer: 1024 ** 3 })
}

/** Starts `runwright up`, and resolves once it says where it listens. */
async function start(program: string, { cwd, data, path: programs }: { cwd: string; data: string; path?: string }) {
  const child = spawn(program, ['up'], {
    cwd,
    env: {
      ...env,
      ...(programs ? { PATH: programs } : {}),
      PORT: String(port),
      RUNWRIGHT_DATA_DIR: data,
      RUNWRIGHT_SCRIPTED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let printed = ''
  const line = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += String(text)
      token = /rw_\w+/.exec(printed)?.[0] ?? token
      const ready = printed.split('\n').find((each) => each.includes(`at ${url},`))
      if (ready) resolve(ready)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed}`)))
  })
  return { line, child }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function emptyProject(name: string): string {
  const project = path.join(folder, name)
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }')
  return project
}

/** Where packages come from is set for the user of the machine. */
const install = (project: string, name: string) =>
  run('npm', ['install', '--no-audit', '--no-fund', tarball(name)], { cwd: project, env: process.env })

const tarball = (name: string) => path.join(packages, globSync(`${name}-[0-9]*.tgz`, { cwd: packages })[0]!)

async function sdkOf(file: string) {
  const { createClient } = (await import(file)) as typeof Sdk
  return createClient({ baseUrl: url, token })
}

function isProgram(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && !file.startsWith(root)
}
