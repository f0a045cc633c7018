import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, lchown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { makeWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openLocalHost, type LocalHost, type LocalHostOptions } from './local.ts'
const target = { organizationId: 7, path: '7/12.git' }
const refusal = (code: ErrorCode, message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && message.test(error.message)

type Source = WorkTree & { head: string }
type Importing = { host: LocalHost; folder: string }

async function openHost(options: Partial<LocalHostOptions> = {}): Promise<Importing> {
  const folder = path.join(await testFolder(), 'repos')
  return { host: openLocalHost({ folder, ...options }), folder }
}

/** What stands in the folder of the organization, hidden or not. */
const leftIn = ({ folder }: Importing) => readdir(path.join(folder, '7')).catch(() => [] as string[])

/** A repository with two branches and a tag; `trunk` is checked out, and has a change that is not committed. */
async function makeSource(): Promise<Source> {
  const tree = await makeWorkTree()
  await tree.git('checkout', '--quiet', '-b', 'trunk')
  await tree.commit({ 'main.go': 'package main\n', 'docs.md': 'x'.repeat(500) })
  await tree.git('tag', '-a', 'v1', '-m', 'one')
  await tree.git('branch', 'other')
  const head = await tree.commit({ 'main.go': 'package main // more\n' })
  await writeFile(path.join(tree.folder, 'uncommitted.txt'), 'not yet')
  return { ...tree, head }
}

test('the example that comes with the service needs neither an address nor a permission', async () => {
  const importing = await openHost()
  const imported = await importing.host.importRepository(target, 'example')
  assert.deepEqual(imported, { defaultBranch: 'main', importedFrom: 'example' })
  const copy = await makeWorkTree()
  const bare = path.join(importing.folder, target.path)
  await copy.git('-c', 'safe.directory=*', 'fetch', '--quiet', bare, 'main')
  const files = (await copy.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD')).split('\n')
  assert.ok(files.includes('package.json') && files.includes('src/basket.js') && files.includes('test/basket.test.js'))
  assert.equal(await importing.host.languageOf(target), 'JavaScript')
  assert.deepEqual(await leftIn(importing), ['12.git'])
})

describe('from a path on the server', () => {
  test('brings branches, tags and the default branch, and nothing that is not committed', async () => {
    const source = await makeSource()
    const importing = await openHost({ importPaths: [path.dirname(source.folder)] })
    const { host, folder } = importing
    const imported = await host.importRepository(target, source.folder)
    assert.deepEqual(imported, { defaultBranch: 'trunk', importedFrom: source.folder })
    assert.deepEqual([...(await host.mirror(target)).branches.keys()], ['other', 'trunk'])
    assert.equal((await host.mirror(target)).branches.get('trunk'), source.head)
    const copy = await makeWorkTree()
    const bare = path.join(folder, target.path)
    await copy.git('-c', 'safe.directory=*', 'fetch', '--quiet', '--tags', bare, 'trunk')
    assert.equal(await copy.git('tag'), 'v1')
    assert.equal(await copy.git('ls-tree', '--name-only', 'FETCH_HEAD'), 'docs.md\nmain.go')
    assert.equal(await host.languageOf(target), 'Go')
    assert.doesNotMatch(await readFile(path.join(bare, 'config'), 'utf8'), /remote|url/)
    assert.deepEqual(await leftIn(importing), ['12.git'])
  })

  test('works for a bare repository, an empty one, and one that belongs to somebody else', async () => {
    const source = await makeSource()
    const folder = await testFolder()
    const importing = await openHost({ importPaths: [folder, source.folder] })
    const { host } = importing
    await source.git('clone', '--quiet', '--bare', source.folder, path.join(folder, 'bare.git'))
    await source.git('init', '--quiet', '--bare', path.join(folder, 'empty.git'))
    const bare = await host.importRepository({ ...target, path: '7/1.git' }, path.join(folder, 'bare.git'))
    assert.equal(bare.defaultBranch, 'trunk')
    const empty = await host.importRepository({ ...target, path: '7/2.git' }, path.join(folder, 'empty.git'))
    assert.equal(empty.defaultBranch, 'main')
    if (process.getuid?.() === 0) {
      for (const part of ['.', '.git']) await lchown(path.join(source.folder, part), 12_345, 12_345)
    }
    const foreign = await host.importRepository({ ...target, path: '7/3.git' }, `file://${source.folder}`)
    assert.equal(foreign.defaultBranch, 'trunk')
  })

  test('runs nothing that the repository brings along', async () => {
    const source = await makeSource()
    const trap = path.join(await testFolder(), 'ran')
    const script = `#!/bin/sh\ntouch ${trap}\n`
    const program = path.join(source.folder, 'trap.sh')
    await writeFile(program, script)
    await chmod(program, 0o755)
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.alternateRefsCommand',
      'uploadpack.packObjectsHook',
    ]) {
      await source.git('config', key, program)
    }
    for (const hook of ['post-checkout', 'post-upload-pack', 'reference-transaction', 'pre-auto-gc']) {
      await writeFile(path.join(source.folder, '.git/hooks', hook), script, { mode: 0o755 })
    }
    await source.git('status')
    assert.equal(await readFile(trap, 'utf8'), '', 'git at work in it falls into the trap')
    await rm(trap)
    const { host } = await openHost({ importPaths: [source.folder] })
    await host.importRepository(target, source.folder)
    await assert.rejects(readFile(trap), /ENOENT/)
  })

  test('takes only what lies below the folders that are allowed, whatever links say', async () => {
    const [source, allowed] = [await makeSource(), await testFolder()]
    const importing = await openHost({ importPaths: [allowed] })
    await symlink(source.folder, path.join(allowed, 'link'))
    await mkdir(path.join(allowed, 'linked'))
    await writeFile(path.join(allowed, 'linked/.git'), `gitdir: ${source.folder}/.git\n`)
    await source.git('clone', '--quiet', '--shared', source.folder, path.join(allowed, 'borrowing'))
    await mkdir(path.join(allowed, 'hollow'))
    await symlink(path.join(source.folder, '.git'), path.join(allowed, 'hollow/.git'))
    const sources = ['link', 'linked', 'borrowing', 'hollow', 'missing', '../'].map((name) => `${allowed}/${name}`)
    for (const from of [...sources, source.folder, '/', `${allowed}-beside`]) {
      const refused = refusal('import_not_allowed', /RUNWRIGHT_IMPORT_PATHS|linked work tree/)
      await assert.rejects(importing.host.importRepository(target, from), refused, from)
    }
    assert.deepEqual(await leftIn(importing), [])
  })

  test('says what is no repository, or not all of one, and leaves nothing', async () => {
    const [source, allowed] = [await makeSource(), await testFolder()]
    const importing = await openHost({ importPaths: [allowed] })
    await mkdir(path.join(allowed, 'plain'))
    await source.git('clone', '--quiet', '--depth=1', `file://${source.folder}`, path.join(allowed, 'shallow'))
    const plain = importing.host.importRepository(target, path.join(allowed, 'plain'))
    await assert.rejects(plain, refusal('import_failed', /does not appear to be a git repository/))
    const shallow = importing.host.importRepository(target, path.join(allowed, 'shallow'))
    await assert.rejects(shallow, refusal('import_failed', /a part of its own history/))
    assert.deepEqual(await leftIn(importing), [])
  })
})

// A host of one repository, which wants a password where the address says so.
const source = await makeSource()
const { host: sourceHost } = await openHost({ importPaths: [source.folder] })
await sourceHost.importRepository(target, source.folder)
const seen: { url: string; authorization: string | undefined }[] = []
const server = http.createServer((request, response) => void serve(request, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
const origin = `localhost:${(server.address() as AddressInfo).port}`
after(() => {
  server.close()
  server.closeAllConnections()
})

async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { url = '', headers } = request
  seen.push({ url, authorization: headers.authorization })
  if (url.startsWith('/moved')) return void response.writeHead(302, { Location: url.replace('moved', 'open') }).end()
  if (url.startsWith('/stuck')) return
  if (url.startsWith('/private') && !headers.authorization) {
    return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end()
  }
  if (url.startsWith('/plain')) {
    const file = path.join(source.folder, '.git', url.replace('/plain', '').split('?')[0] as string)
    return readFile(file).then(
      (bytes) => void response.end(bytes),
      () => void response.writeHead(404).end(),
    )
  }
  const advertise = url.includes('/info/refs')
  const signal = new AbortController().signal
  const part: 'refs' | 'request' = advertise ? 'refs' : 'request'
  const options = { part, protocol: null, allowForce: false, allowDelete: false, signal }
  const git = await sourceHost.serveGit(target, { service: 'upload-pack', ...options })
  response.setHeader('Content-Type', `application/x-git-upload-pack-${advertise ? 'advertisement' : 'result'}`)
  if (advertise) response.write('001e# service=git-upload-pack\n0000')
  request.pipe(git.stdin)
  git.stdout.pipe(response)
}

describe('from an address', () => {
  test('refuses hosts that are not public, and names the setting that would allow them', async () => {
    const importing = await openHost()
    const hosts = [
      origin,
      '127.0.0.1',
      '0x7f000001',
      '2130706433',
      '[::1]',
      '169.254.169.254',
      '10.0.0.1',
      '[::ffff:10.0.0.1]',
    ]
    for (const name of [...hosts, 'localhost.']) {
      for (const scheme of ['http', 'https', 'git']) {
        const refused = refusal('import_not_allowed', /RUNWRIGHT_PRIVATE_HOSTS/)
        await assert.rejects(importing.host.importRepository(target, `${scheme}://${name}/open/a.git`), refused, name)
      }
    }
    assert.deepEqual(seen, [])
    assert.deepEqual(await leftIn(importing), [])
  })

  test('refuses whatever is no address of a repository', async () => {
    const { host } = await openHost({ privateHosts: ['localhost'] })
    const words = [
      '',
      'examples',
      'ssh://git@localhost/a.git',
      'git@localhost:a.git',
      'ext::sh -c id',
      '-uid',
      'ftp://localhost/a',
    ]
    for (const from of [...words, 'file://example.com/etc', './here', '--upload-pack=id']) {
      const refused = refusal('import_not_allowed', /https:\/\//)
      await assert.rejects(host.importRepository(target, from), refused, from)
    }
  })

  test('says in a sentence what is wrong with percent signs that stand for nothing', async () => {
    const { host } = await openHost({ privateHosts: ['localhost'] })
    for (const from of ['file:///%zz', 'file:///%ff', `http://%ff:%zz@${origin}/a.git`, `http://a:%@${origin}/a.git`])
      await assert.rejects(host.importRepository(target, from), refusal('import_not_allowed', /%25/), from)
  })

  test('copies from a host that is allowed, by name, or by name and port', async () => {
    for (const allowed of ['localhost', origin]) {
      const importing = await openHost({ privateHosts: [allowed] })
      const imported = await importing.host.importRepository(target, `http://${origin}/open/a.git`)
      assert.deepEqual(imported, { defaultBranch: 'trunk', importedFrom: `http://${origin}/open/a.git` })
      assert.equal((await importing.host.mirror(target)).branches.get('trunk'), source.head)
    }
  })

  test('uses credentials of the address, and keeps them nowhere', async () => {
    const importing = await openHost({ privateHosts: ['localhost'] })
    const imported = await importing.host.importRepository(target, `http://ada:p%40ss@${origin}/private/a.git?x=1`)
    assert.equal(imported.importedFrom, `http://${origin}/private/a.git`)
    const sent = seen.findLast(({ url }) => url.startsWith('/private'))?.authorization
    assert.equal(sent, `Basic ${Buffer.from('ada:p@ss').toString('base64')}`)
    const files = await readdir(importing.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile())) {
      const text = await readFile(path.join(file.parentPath, file.name), 'latin1')
      assert.doesNotMatch(text, /p@ss|p%40ss/, file.name)
    }
  })

  test('says why it failed without repeating a password, and leaves nothing', async () => {
    const importing = await openHost({ privateHosts: ['localhost'] })
    const query: [string, RegExp][] = [
      [`http://${origin}/private/a.git`, /could not read Username/],
      [`http://ada:hunter22@${origin}/plain/hunter22`, /\*\*\*/],
      [`http://${origin}/moved/a.git`, /302|redirect/i],
      ['http://localhost:1/a.git', /Failed to connect|refused|connect/i],
      ['http://no-such-host.invalid/a.git', /not found/],
    ]
    for (const [from, output] of query) {
      const failing = importing.host.importRepository(target, from)
      await assert.rejects(
        failing,
        (error) => refusal('import_failed', output)(error) && !String(error).includes('hunter22'),
        from,
      )
    }
    assert.deepEqual(await leftIn(importing), [])
  })

  test('refuses the old protocol of plain files, where objects would come unchecked', async () => {
    await source.git('update-server-info')
    const importing = await openHost({ privateHosts: ['localhost'] })
    const failing = importing.host.importRepository(target, `http://${origin}/plain`)
    await assert.rejects(failing, refusal('import_failed', /dumb http/))
    assert.deepEqual(await leftIn(importing), [])
  })

  test('gives up after its time, and when its caller does', async () => {
    const importing = await openHost({ privateHosts: ['localhost'], importMsMax: 300 })
    const stuck = `http://${origin}/stuck/a.git`
    await assert.rejects(importing.host.importRepository(target, stuck), refusal('import_failed', /longer than/))
    const caller = new AbortController()
    const input = importing.host.importRepository(target, stuck, { signal: caller.signal })
    caller.abort(new Error('not wanted any more'))
    await assert.rejects(input, /not wanted any more/)
    assert.deepEqual(await leftIn(importing), [])
  })
})

test('refuses a tree that would write into the .git of whoever checks it out', async () => {
  const source = await makeSource()
  const blob = await source.git('rev-parse', 'HEAD:main.go')
  const lines = path.join(source.folder, '.git', 'lines')
  const makeTree = async (line: string) => {
    await writeFile(lines, line)
    return source.git('-c', `alias.read=!git mktree <${lines}`, 'read')
  }
  const evil = await makeTree(`040000 tree ${await makeTree(`100644 blob ${blob}\tconfig\n`)}\t.git\n`)
  await source.git('update-ref', 'refs/heads/evil', await source.git('commit-tree', evil, '-m', 'evil'))
  const importing = await openHost({ importPaths: [source.folder] })
  await assert.rejects(importing.host.importRepository(target, source.folder), refusal('import_failed', /hasDotgit/))
  assert.deepEqual(await leftIn(importing), [])
})

describe('of what has no end', () => {
  test('what is larger than may be imported is refused with the limit, and nothing of it stays', async () => {
    const source = await makeSource()
    const noise = Buffer.alloc(3 * 2 ** 20)
    for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536))
    await source.commit({ 'noise.bin': noise })
    const importing = await openHost({ importPaths: [path.dirname(source.folder)], importBytesMax: 2 ** 20 })
    const isRefused = refusal('import_failed', /larger than 1 MiB, the most that is imported.*RUNWRIGHT_IMPORT_MIB/)
    await assert.rejects(importing.host.importRepository(target, source.folder), isRefused)
    assert.deepEqual(await leftIn(importing), [])
    const roomy = await openHost({ importPaths: [path.dirname(source.folder)], importBytesMax: 8 * 2 ** 20 })
    await roomy.host.importRepository(target, source.folder)
  })
})
