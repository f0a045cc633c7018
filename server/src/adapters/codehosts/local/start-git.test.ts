import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { testFolder } from '#test/test-git.ts'
import { askGit } from './ask-git.ts'
import { initRepository } from './repository-folder.ts'
import { runGit } from './run-git.ts'

const timeoutMs = 20_000
const sources = path.resolve(import.meta.dirname, '../../..')
const code = globSync('**/*.{ts,mjs}', { cwd: sources }).filter((file) => !file.endsWith('.test.ts'))
const read = (file: string) => readFileSync(path.join(sources, file), 'utf8')

test('git is started in one place, for code hosts alone', () => {
  const starters = code.filter((file) => /node:child_process/.test(read(file)))
  const ours = starters.filter((file) => /['"`]git['"`\s]/.test(read(file)))
  assert.deepEqual(ours, ['adapters/codehosts/local/start-git.ts'])
  assert.ok(starters.length > 3)
  const users = code.filter((file) => /from '.*\/(start-git|run-git|ask-git)\.ts'/.test(read(file)))
  assert.ok(users.length > 10)
  for (const file of users) assert.match(file, /^adapters\/codehosts\//)
})

test('git works in repositories of the host and nowhere else: each names its own, and none is found', async () => {
  const spawned = /spawn\(program, words, \{\s+cwd: '\/'/
  assert.match(read('adapters/codehosts/local/start-git.ts'), spawned)
  await assert.rejects(askGit({ arguments: ['rev-parse', '--git-dir'], timeoutMs }), /not a git repository/)
})

test('git sees nothing of the environment of the service, and no settings of its user', async () => {
  const home = await testFolder()
  const mark = path.join(home, 'mark')
  mkdirSync(path.join(home, 'git'))
  for (const file of ['.gitconfig', 'git/config'])
    writeFileSync(path.join(home, file), `[alias]\n show = !echo yours\n[core]\n fsmonitor = touch ${mark}\n`)
  const planted: Record<string, string> = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_DIR: '/nowhere',
    GIT_WORK_TREE: '/',
    GIT_CONFIG: path.join(home, '.gitconfig'),
    GIT_CONFIG_PARAMETERS: `'core.sshCommand=touch ${mark}'`,
    GIT_EXTERNAL_DIFF: `touch ${mark}`,
    GIT_SSH_COMMAND: `touch ${mark}`,
    GIT_ASKPASS: `touch ${mark}`,
    GIT_EXEC_PATH: home,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: '/',
    GIT_TRACE: mark,
    LD_PRELOAD: '/nowhere.so',
    SSH_AUTH_SOCK: '/nowhere',
  }
  const before = { ...process.env }
  Object.assign(process.env, planted)
  try {
    const text = await askGit({ arguments: ['show'], config: [['alias.show', '!env']], timeoutMs }).catch(String)
    assert.match(text, /is not a git command|not a git repository|bad revision/)
    const printed = await askGit({ arguments: ['ours'], config: [['alias.ours', '!env']], timeoutMs })
    const names = printed.split('\n').map((line) => line.slice(0, line.indexOf('=')))
    const ours =
      /^(PATH|HOME|LC_ALL|PWD|OLDPWD|SHLVL|_|GIT_PREFIX|GIT_(CONFIG_(NOSYSTEM|GLOBAL|COUNT|KEY_\d+|VALUE_\d+)))$/
    const known = [
      'GIT_EXEC_PATH',
      'GIT_NO_REPLACE_OBJECTS',
      'GIT_TERMINAL_PROMPT',
      'GIT_ATTR_NOSYSTEM',
      'GIT_ALLOW_PROTOCOL',
    ]
    assert.deepEqual(
      names.filter((name) => !ours.test(name) && !known.includes(name)),
      [],
    )
    assert.match(printed, /^HOME=\/nonexistent$/m)
    assert.ok(!printed.includes(home))
    assert.ok(!existsSync(mark))
  } finally {
    for (const name of Object.keys(planted)) delete process.env[name]
    Object.assign(process.env, before)
  }
})

test('git asks nobody for a password, whatever the repository names', async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  const repository = path.join(await testFolder(), 'x.git')
  const mark = path.join(repository, 'mark')
  await initRepository(repository, 'main')
  const helper = `[credential]\n helper = !touch ${mark}; echo password=x\n[core]\n askPass = touch ${mark}\n`
  writeFileSync(path.join(repository, 'config'), readFileSync(path.join(repository, 'config'), 'utf8') + helper)
  const address = `http://ada@127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
  const asked = { repository, arguments: ['ls-remote', address], protocols: ['http'], timeoutMs }
  const { exitCode, stderr } = await runGit({ ...asked, config: [['core.askPass', '']] })
  assert.equal(exitCode, 128)
  assert.match(stderr, /could not read Password|Authentication failed/)
  assert.ok(!existsSync(mark))
})

test('git speaks no protocol that is not named', async () => {
  const folder = await testFolder()
  const mark = path.join(folder, 'mark')
  await initRepository(path.join(folder, 'x.git'), 'main')
  const addresses = [
    path.join(folder, 'x.git'),
    `file://${folder}/x.git`,
    `ext::touch ${mark}`,
    'ssh://127.0.0.1/x',
    'git://127.0.0.1/x',
    'http://127.0.0.1/x',
    'ftp://127.0.0.1/x',
  ]
  for (const address of addresses) {
    const { exitCode, stderr } = await runGit({ arguments: ['ls-remote', address], timeoutMs })
    assert.equal(exitCode, 128, address)
    assert.match(stderr, /transport '\w+' not allowed/, address)
  }
  assert.ok(!existsSync(mark))
})

test('what git is told and given to read is run by no shell', async () => {
  const repository = path.join(await testFolder(), 'x.git')
  await initRepository(repository, 'main')
  const hostile = `a'$(echo ran);\n\`echo ran\` "; echo ran #\\`
  const ask = (words: string[], input?: string) =>
    askGit({ repository, arguments: words, timeoutMs, ...(input !== undefined && { input }) })
  const blob = await ask(['hash-object', '-w', '--stdin'], hostile)
  const tree = await ask(['mktree', '-z'], `100644 blob ${blob}\t${hostile}`)
  assert.equal(await ask(['cat-file', 'blob', `${tree}:${hostile}`]), hostile)
  assert.equal(await ask(['ls-tree', '-z', '--name-only', tree]), `${hostile}\0`)
  const config: [string, string][] = [['user.name', hostile]]
  assert.equal(await askGit({ arguments: ['config', 'user.name'], config, timeoutMs }), hostile)
})
