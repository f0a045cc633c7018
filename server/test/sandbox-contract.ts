/** The contract of every sandbox provider: its tests. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import type { ExecRequest, ExecResult, Sandbox, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'

const MiB = 1024 * 1024
const COMMAND_MS = 20_000
const SHARED_MS = 900_000
/** Longer than any test waits: whoever returns earlier was killed, not patient. */
const FOREVER = 'sleep 600'
/** A process that can be told from those of other tests, also of another run of them on this machine. */
const nap = (seconds: string) => `sleep ${seconds}.${process.pid}`

export type ProviderUnderTest = {
  name: string
  open: (options: { folder: string }) => SandboxProvider
  showsMountsReadOnly: boolean
  isolates: boolean
}

/** How many processes of this machine have this command line. */
function processesNamed(command: string): number {
  const lines = readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()] : []
    } catch {
      return []
    }
  })
  return lines.filter((line) => line === command).length
}

export function testContract({ name, open, showsMountsReadOnly, isolates }: ProviderUnderTest): void {
  describe(`a sandbox of ${name}`, () => {
    const { base, folder, provider } = testSandboxes(open)
    let sandbox: Sandbox

    before(async () => {
      // It is used by every test, and what is started for a command apart may take seconds.
      sandbox = await provider.create({ id: 'shared', limits: { ...testLimits, lifetimeMs: SHARED_MS } })
    })

    function run(request: Partial<ExecRequest>): Promise<ExecResult> {
      return sandbox.exec({ timeoutMs: COMMAND_MS, ...request }).result
    }
    const text = async (shell: string, where = sandbox) =>
      (await where.exec({ shell, timeoutMs: COMMAND_MS }).result).stdout.toString().trim()
    /** How many processes of this kind of `nap` run. */
    const countNaps = async (seconds: string, where = sandbox) => {
      const list = `for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $file; echo; done 2>/dev/null`
      return Number(await text(`${list} | grep -c '^${nap(seconds)} $'`, where))
    }

    test('runs a command in the workspace and tells how it ended', async () => {
      const result = await run({ argv: ['sh', '-c', 'pwd; echo to stderr >&2; exit 3'] })
      assert.partialDeepStrictEqual(result, { exitCode: 3, reason: 'exited', cutBytes: 0 })
      assert.equal(result.stdout.toString(), `${sandbox.paths.workspace}\n`)
      assert.equal(result.stderr.toString(), 'to stderr\n')
      assert.ok(result.durationMs >= 0)
    })

    test('runs a line of shell, in a folder and with variables of its own', async () => {
      const request = { shell: 'echo "$PWD $COLOR" | tr a-z A-Z', cwd: '/usr', env: { COLOR: 'red' } }
      assert.equal((await run(request)).stdout.toString(), '/USR RED\n')
    })

    test('tells when a signal ended the command', async () => {
      assert.partialDeepStrictEqual(await run({ shell: 'kill -9 $$' }), { exitCode: null, reason: 'exited' })
    })

    test('says why a program could not be started', async () => {
      const missing = await run({ argv: ['no-such-program'] })
      assert.equal(missing.exitCode, 127)
      assert.match(missing.stderr.toString(), /cannot start no-such-program: there is no such program/)
      assert.equal((await run({ argv: ['true'], cwd: '/no/such/folder' })).exitCode, 127)
    })

    test('refuses a request that names no command, or two', () => {
      assert.throws(() => sandbox.exec({ timeoutMs: 1_000 }), /either argv or shell/)
      assert.throws(() => sandbox.exec({ timeoutMs: 1_000, shell: 'true', argv: ['true'] }), /either argv or shell/)
    })

    test('gives commands a clean environment, and nothing of the service', async () => {
      process.env.RUNWRIGHT_TEST_CANARY = 'canary-of-the-service'
      const other = await provider.create({ id: 'environment', limits: testLimits })
      delete process.env.RUNWRIGHT_TEST_CANARY
      const { stdout } = await other.exec({ shell: 'env', timeoutMs: COMMAND_MS }).result
      const names = stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0]!)
      assert.doesNotMatch(stdout.toString(), /canary/)
      const expected = [
        'CI',
        'GIT_CONFIG_SYSTEM',
        'GIT_PAGER',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'LANG',
        'LOGNAME',
        'PAGER',
        'PATH',
        'PWD',
        'RUNWRIGHT_COMMAND',
        'SHELL',
        'SHLVL',
        'TERM',
        'TMPDIR',
        'USER',
        '_',
      ]
      assert.deepEqual(
        names.filter((name) => !expected.includes(name)),
        [],
      )
      assert.ok(stdout.toString().includes(`HOME=${other.paths.home}\n`))
    })

    test('offers a node of version 24 or newer, and a git that can commit', async () => {
      const major = await run({ argv: [`${sandbox.paths.nodeFolder}/node`, '-p', 'parseInt(process.versions.node)'] })
      assert.ok(Number(major.stdout.toString()) >= 24, major.stderr.toString())
      assert.ok((await text('echo $PATH')).endsWith(`:${sandbox.paths.nodeFolder}`))
      const commit = await text(
        'git init -q repo && cd repo && git commit -q --allow-empty -m first && git log --format="%an %ae %D"',
      )
      assert.match(commit, /^Runwright agent@runwright\.invalid HEAD -> main$/)
    })

    test('offers our own ripgrep, which looks ahead, to commands too', async () => {
      await sandbox.writeFile(`${sandbox.paths.workspace}/look.txt`, Buffer.from('ahead\n'))
      assert.equal(await text(`${sandbox.paths.ripgrep} --pcre2 -c 'a(?=head)' look.txt`), '1')
      assert.equal(await text("rg --pcre2 -c 'a(?=head)' look.txt"), '1')
    })

    test('keeps both streams apart and merged, in the order they came', async () => {
      const shell = 'for i in 1 2 3; do echo out $i; sleep 0.1; echo err $i >&2; sleep 0.1; done'
      const result = await run({ shell })
      assert.equal(result.stdout.toString(), 'out 1\nout 2\nout 3\n')
      assert.equal(result.stderr.toString(), 'err 1\nerr 2\nerr 3\n')
      assert.equal(result.output.toString(), 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n')
    })

    test('keeps the beginning and the end of long output, and shows all of it as it comes', async () => {
      let seenBytes = 0
      const onOutput = (_stream: string, chunk: Uint8Array) => (seenBytes += chunk.length)
      const shell = 'echo first; head -c 1000000 /dev/zero; echo last'
      const result = await run({ shell, outputBytesMax: 1_000, onOutput })
      assert.equal(seenBytes, 1_000_011)
      assert.equal(result.stdout.length, 1_000)
      assert.equal(result.output.length, 1_000)
      assert.equal(result.cutBytes, 999_011)
      assert.match(result.stdout.toString(), /^first\n\0+last\n$/)
    })

    test('lets each stream through a filter, to its end, before any of it is kept or heard', async () => {
      let heard = ''
      const result = await run({
        shell: `printf 'abc'; sleep 0.05; printf 'def'; printf 'xyz' >&2`,
        outputBytesMax: 4,
        onOutput: (_, piece) => (heard += Buffer.from(piece).toString()),
        openFilter: () => {
          let all = ''
          return {
            write: (piece) => {
              all += Buffer.from(piece).toString()
              return Buffer.alloc(0)
            },
            end: () => Buffer.from(all.toUpperCase()),
          }
        },
      })
      assert.deepEqual([result.stdout.toString(), result.stderr.toString()], ['ABEF', 'XYZ'])
      assert.deepEqual(heard.match(/[A-Z]{3}/g)?.toSorted(), ['ABC', 'DEF', 'XYZ'])
    })

    test('lays bait where only who goes through other environments finds it', async () => {
      const bait = { PASSWORD: `bait-of-${process.pid}` }
      await using other = await provider.create({ id: 'laid-out', limits: testLimits, bait })
      assert.equal(await text('env | grep -c -e PASSWORD -e BAIT -e bait', other), '0')
      const look = `for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file; done 2>/dev/null | grep -c ^PASSWORD=${bait.PASSWORD}`
      assert.equal(await text(look, other), '1')
    })

    test('carries any bytes', async () => {
      const stdin = randomBytes(300_000)
      assert.deepEqual((await run({ argv: ['cat'], stdin })).stdout, stdin)
    })

    test('gives a command megabytes to read, and an end', async () => {
      const stdin = Buffer.alloc(20 * MiB, 'x')
      assert.equal((await run({ argv: ['wc', '-c'], stdin })).stdout.toString().trim(), String(stdin.length))
      assert.equal((await run({ argv: ['cat'] })).stdout.length, 0)
      assert.equal((await run({ argv: ['true'], stdin })).exitCode, 0)
    })

    test('talks with a command that keeps listening', async () => {
      const answers: string[] = []
      let heard = () => {}
      const onOutput = (_stream: string, chunk: Uint8Array) => {
        answers.push(Buffer.from(chunk).toString())
        heard()
      }
      const exec = sandbox.exec({ argv: ['cat'], interactive: true, timeoutMs: COMMAND_MS, onOutput })
      for (let number = 1; number <= 200; number++) {
        const answered = new Promise<void>((resolve) => (heard = resolve))
        exec.write(`message ${number}\n`)
        await answered
      }
      exec.kill()
      assert.equal((await exec.result).reason, 'killed')
      assert.equal(answers.join(''), Array.from({ length: 200 }, (_, index) => `message ${index + 1}\n`).join(''))
    })

    test('lets a flood of output neither fill our memory nor hold up other commands', async () => {
      const memoryBefore = process.memoryUsage().rss
      const came = { bytes: 0 }
      const begunAt = performance.now()
      const onOutput = (_stream: string, chunk: Uint8Array) => (came.bytes += chunk.length)
      const flood = sandbox.exec({ argv: ['yes'], timeoutMs: COMMAND_MS, outputBytesMax: 1 * MiB, onOutput })
      // What is kept too long fills memory with time.
      for (let beside = 0; beside < 6 || came.bytes < 3 * MiB || performance.now() - begunAt < 1_000; beside++)
        assert.equal((await run({ argv: ['true'] })).reason, 'exited')
      flood.kill()
      const result = await flood.result
      assert.equal(result.reason, 'killed', 'all that was before its time was over')
      assert.ok(result.cutBytes > 1 * MiB, `only ${result.cutBytes} bytes came`)
      assert.ok(process.memoryUsage().rss - memoryBefore < 150 * MiB)
    })

    test('ends a command at its time limit, with all it started', async () => {
      const shell = `(setsid nohup ${nap('601')} >/dev/null 2>&1 &); sh -c 'trap "" TERM; ${nap('602')} & wait' & ${FOREVER}`
      assert.equal((await run({ shell, timeoutMs: 300 })).reason, 'timeout')
      assert.equal(await countNaps('60.'), 0)
    })

    test('ends a command when it is aborted, with all it started', async () => {
      const abort = new AbortController()
      const result = run({ shell: `${nap('611')} & setsid ${nap('612')} & ${FOREVER}`, signal: abort.signal })
      await until(async () => (await countNaps('61.')) >= 2, 'it runs')
      abort.abort()
      assert.equal((await result).reason, 'killed')
      assert.equal(await countNaps('61.'), 0)
      assert.equal((await run({ shell: FOREVER, signal: abort.signal })).reason, 'killed')
    })

    test('leaves nothing behind of a command that ended by itself', async () => {
      const result = await run({
        shell: `${nap('621')} & setsid ${nap('622')} >/dev/null 2>&1 & (nohup ${nap('623')} &); echo done`,
      })
      assert.partialDeepStrictEqual(result, { exitCode: 0, reason: 'exited' })
      assert.equal(result.stdout.toString(), 'done\n')
      assert.equal(await countNaps('62.'), 0)
    })

    test('waits for what still writes its last lines', async () => {
      assert.equal(await text('exec > >(tr a-z A-Z); echo written to the end'), 'WRITTEN TO THE END')
    })

    test('leaves other commands alone when one ends', async () => {
      const other = sandbox.exec({ shell: `(setsid ${nap('631')} &); ${nap('632')}`, timeoutMs: COMMAND_MS })
      await until(async () => (await countNaps('63.')) === 2, 'it runs')
      await run({ shell: `${nap('641')} & true` })
      assert.equal(await countNaps('63.'), 2)
      other.kill()
      await other.result
      assert.equal(await countNaps('63.'), 0)
    })

    test('writes files with their folders, and reads them', async () => {
      const data = randomBytes(3 * MiB)
      await sandbox.writeFile(`${sandbox.paths.workspace}/some/new/folder/data`, data)
      assert.deepEqual(await sandbox.readFile('some/new/folder/data'), data)
      await sandbox.writeFile('empty', new Uint8Array())
      assert.equal((await sandbox.readFile('empty')).length, 0)
      await sandbox.writeFile('data', Buffer.from('long before'))
      await sandbox.writeFile('data', Buffer.from('short'))
      assert.equal((await sandbox.readFile('data')).toString(), 'short')
    })

    test('makes a file with the mode asked for, and keeps the mode of one that is there', async () => {
      await sandbox.writeFile('script', Buffer.from('#!/bin/sh\necho I run'), { mode: 0o755 })
      assert.equal(await text('./script'), 'I run')
      await sandbox.writeFile('script', Buffer.from('#!/bin/sh\necho I still run'), { mode: 0o600 })
      assert.equal(await text('./script; stat -c %a script'), 'I still run\n755')
    })

    test('follows links inside', async () => {
      await text(`mkdir -p target && ln -sfn ${sandbox.paths.workspace}/target link && echo behind > target/file`)
      assert.equal((await sandbox.readFile('link/file')).toString(), 'behind\n')
      await sandbox.writeFile('link/written', Buffer.from('through'))
      assert.equal(await text('cat target/written'), 'through')
    })

    test('says what is wrong with a file', async () => {
      await text('mkdir -p directory; head -c 2000 /dev/zero > large; ln -sf loop loop; rm -f pipe; mkfifo pipe')
      await assert.rejects(sandbox.readFile('missing'), { name: 'SandboxFileError', code: 'ENOENT' })
      await assert.rejects(sandbox.readFile('directory'), { code: 'EISDIR' })
      await assert.rejects(sandbox.writeFile('directory', Buffer.from('x')), { code: 'EISDIR' })
      await assert.rejects(sandbox.readFile('large', { bytesMax: 1_999 }), { code: 'EFBIG' })
      assert.equal((await sandbox.readFile('large', { bytesMax: 2_000 })).length, 2_000)
      await assert.rejects(sandbox.readFile('loop'), { code: 'ELOOP' })
      await assert.rejects(sandbox.writeFile('large/below', Buffer.from('x')), { code: 'ENOTDIR' })
    })

    test('does not wait at a file that never ends, or never begins', async () => {
      await text('rm -f pipe; mkfifo pipe; ln -sf /dev/zero zero')
      await assert.rejects(sandbox.readFile('pipe'), { code: 'EINVAL' })
      await assert.rejects(sandbox.writeFile('pipe', Buffer.from('x')), { code: 'ENXIO' })
      await assert.rejects(sandbox.readFile('zero'), { code: 'EINVAL' })
    })

    test('shows the mounts it was given', async () => {
      const source = path.join(base, 'objects')
      mkdirSync(source, { mode: 0o755 })
      writeFileSync(path.join(source, 'file'), 'from outside', { mode: 0o644 })
      const other = await provider.create({ id: 'mounts', limits: testLimits, mounts: { mirror: source } })
      const file = `${other.paths.mounts.mirror}/file`
      assert.equal((await other.readFile(file)).toString(), 'from outside')
      if (!showsMountsReadOnly) return
      await assert.rejects(other.writeFile(file, Buffer.from('changed')), { code: /EROFS|EACCES/ })
      await assert.rejects(
        provider.create({ id: 'mounts', limits: testLimits, mounts: { '../up': source } }),
        /not the name of a mount/,
      )
    })

    test('tells waiting commands when it is stopped, and why it closed', async () => {
      const other = await provider.create({ id: 'stopped', limits: testLimits })
      const waiting = other.exec({ shell: `setsid ${nap('651')} & echo begun; ${FOREVER}`, timeoutMs: COMMAND_MS })
      await until(async () => (await countNaps('651', other)) === 1, 'it runs')
      await Promise.all([other.stop('enough'), other.stop('again')])
      assert.equal((await waiting.result).reason, 'sandbox_lost')
      assert.deepEqual(await other.closed, { reason: 'enough' })
      assert.equal(await countNaps('651'), 0)
      assert.equal((await other.exec({ shell: 'true', timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
      await assert.rejects(other.readFile('x'), { name: 'SandboxFileError' })
    })

    test('ends at its lifetime', async () => {
      const other = await provider.create({ id: 'lifetime', limits: { ...testLimits, lifetimeMs: 300 } })
      assert.equal((await other.exec({ shell: FOREVER, timeoutMs: COMMAND_MS }).result).reason, 'sandbox_lost')
      assert.deepEqual(await other.closed, { reason: 'lifetime' })
    })

    test('finds its files again when it is created again', async () => {
      const first = await provider.create({ id: 'again', limits: testLimits })
      await first.writeFile('kept', Buffer.from('kept'))
      await first.exec({ shell: 'echo settings > ~/.settings; chmod 000 .', timeoutMs: COMMAND_MS }).result
      const second = await provider.create({ id: 'again', limits: testLimits })
      assert.deepEqual(await first.closed, { reason: 'replaced' })
      assert.equal((await second.readFile('kept')).toString(), 'kept')
      assert.equal((await second.readFile(`${second.paths.home}/.settings`)).toString(), 'settings\n')
      assert.ok((await provider.list()).includes('again'))
    })

    test('takes its files along when it is removed, running or not', async () => {
      const other = await provider.create({ id: 'removed', limits: testLimits })
      await other.exec({ shell: 'mkdir -p a/b && touch a/b/c && chmod 000 a/b a', timeoutMs: COMMAND_MS }).result
      await provider.remove('removed')
      assert.deepEqual(await other.closed, { reason: 'replaced' })
      assert.ok(!(await provider.list()).includes('removed'))
      await provider.remove('removed')
      const fresh = await provider.create({ id: 'removed', limits: testLimits })
      await assert.rejects(fresh.readFile('a'), { code: 'ENOENT' })
    })

    test('does not harm a sandbox of the same id that another service on this machine has', async () => {
      const other = open({ folder: path.join(base, 'another-service') })
      await using theirs = await other.create({ id: 'twin', limits: testLimits })
      await using _ours = await provider.create({ id: 'twin', limits: testLimits })
      await provider.remove('twin')
      assert.equal(await text('echo alive', theirs), 'alive')
      await other.remove('twin')
    })

    test('is stopped when it goes out of scope', async () => {
      let closed
      {
        await using other = await provider.create({ id: 'scoped', limits: testLimits })
        closed = other.closed
      }
      assert.deepEqual(await closed, { reason: 'disposed' })
    })

    test('runs a command apart over the same files, and tells how it ended', async () => {
      const secret = { COLOR: 'a value for one command' }
      const apart = await run({ shell: 'echo "$COLOR" | tee apart.txt; exit 3', env: secret, ownNamespace: true })
      assert.partialDeepStrictEqual(apart, { exitCode: 3, reason: 'exited' })
      assert.equal(apart.stdout.toString(), `${secret.COLOR}\n`)
      assert.equal(await text('cat apart.txt; echo "$COLOR"'), secret.COLOR)
      assert.equal((await run({ shell: 'cat', stdin: 'in', ownNamespace: true })).stdout.toString(), 'in')
      assert.equal((await run({ shell: FOREVER, timeoutMs: 300, ownNamespace: true })).reason, 'timeout')
      const exec = sandbox.exec({ shell: FOREVER, timeoutMs: COMMAND_MS, ownNamespace: true })
      exec.kill()
      assert.equal((await exec.result).reason, 'killed')
    })

    test('holds a command to looking, or says that it cannot', async () => {
      const look = (shell: string) => run({ shell, looksOnly: true })
      if (!sandbox.canLookOnly)
        return assert.throws(() => sandbox.exec({ shell: 'true', looksOnly: true, timeoutMs: COMMAND_MS }), TypeError)
      await text(`git init -q look && cd look && git init -q --bare far.git && git remote add far ./far.git && echo one > one &&
        git add one && git commit -qm one && ln -s one link && touch ~/kept /tmp/kept`)
      // Times of change show what modes and links do not.
      const state = () =>
        text(
          `find look ~ /tmp -printf '%p %y %m %n %s %T@ %C@ %l\n' | sort; find look -type f -exec sha256sum {} + | sort`,
        )
      const before = await state()
      assert.match(before, /look\/\.git\/index/)
      assert.equal(
        (await look('cd look && git log --format=%s && git status --short | wc -l && cat link')).output.toString(),
        'one\n2\none\n',
      )
      assert.equal((await look('echo own > /tmp/own && cat /tmp/own; ls /tmp')).stdout.toString(), 'own\nown\n')
      for (const hostile of [
        'rm -rf look ~ /tmp',
        'echo two > look/one',
        'echo two >> look/link',
        'exec 3<>look/one; echo two >&3',
        'truncate -s 0 look/one; touch look/one look/two ~/two',
        'chmod 777 look look/one; chown 0 look/one; setfattr -n user.a -v b look/one',
        'ln look/one look/two; ln look/one /tmp/two && echo two > /tmp/two; mv look/one /tmp',
        'ln -s $PWD/look/one /tmp/link; echo two > /tmp/link; cp -f /etc/passwd look/one',
        'mkfifo look/pipe; mknod look/device c 1 3; mkdir look/folder',
        'git -C look commit --allow-empty -qm two; git -C look checkout -qb two; git -C look gc -q; git -C look config a.b c',
        'cd look && git push -q far HEAD:refs/heads/two',
        'mount -o remount,rw /workspace; mount --bind /tmp /workspace; umount -l /workspace; unshare -rm mount -o remount,rw /workspace',
        'for root in /proc/[0-9]*/root /proc/[0-9]*/cwd; do echo two > $root/workspace/look/one; echo two > $root/look/one; done',
        `setsid bash -c '${nap('3')}; echo two > look/one' > /dev/null 2>&1 & disown; sleep 0.2`,
        `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("look/socket")) and print "bound"'`,
      ]) {
        const { reason, stdout } = await look(hostile)
        assert.equal(reason, 'exited', hostile)
        assert.ok(!stdout.includes('bound'))
        assert.equal(await state(), before, hostile)
      }
      assert.equal(processesNamed(nap('3')), 0)
      assert.equal(
        (await look('echo $HTTP_PROXY; cat /proc/net/route | wc -l; ls /sys/class/net 2>/dev/null')).stdout
          .toString()
          .split('\n')[0],
        '',
      )
    })

    test('knows no secrets by name: a command that still names some is not started', () => {
      assert.throws(() => sandbox.exec({ shell: 'true', secrets: ['TOKEN'], timeoutMs: COMMAND_MS }), TypeError)
    })

    test('takes a command apart with it when it is stopped, by whichever process', async () => {
      const begin = async (id: string, mark: string) => {
        const other = await provider.create({ id, limits: testLimits })
        let isBegun = false
        const shell = `echo begun; exec ${nap(mark)}`
        const onOutput = () => (isBegun = true)
        const { result } = other.exec({ shell, timeoutMs: COMMAND_MS, ownNamespace: true, onOutput })
        await until(() => isBegun, 'it has begun')
        return { other, result }
      }
      const stopped = await begin('stopped-apart', '911')
      await stopped.other.stop('enough')
      assert.equal((await stopped.result).reason, 'sandbox_lost')
      assert.equal(processesNamed(nap('911')), 0)
      const replaced = await begin('replaced-apart', '912')
      // Another service, which knows only what is written down.
      const another = open({ folder })
      await another.remove('replaced-apart')
      assert.equal((await replaced.result).reason, 'sandbox_lost')
      assert.equal(processesNamed(nap('912')), 0)
    })

    if (showsMountsReadOnly) {
      const secret = `a value for one command, ${randomBytes(8).toString('hex')}`
      /** Looks for the value in all memory that a command may read. */
      const searchMemory = `import os, re, sys
found = 0
for pid in filter(str.isdigit, os.listdir('/proc')):
    if int(pid) == os.getpid(): continue
    try: maps = open(f'/proc/{pid}/maps').read()
    except PermissionError: continue
    for line in maps.splitlines():
        first, last = (int(word, 16) for word in line.split()[0].split('-'))
        if 'r' not in line.split()[1]: continue
        try:
            memory = open(f'/proc/{pid}/mem', 'rb', 0)
            for at in range(first, last, 1 << 20):
                memory.seek(at)
                found += memory.read(min(last - at, (1 << 20) + 100)).count(sys.argv[1][::-1].encode())
        except (OSError, OverflowError): pass
print(found)`
      const search = async () => {
        const reversed = [...secret].reverse().join('')
        const { output } = await run({ argv: ['python3', '-c', searchMemory, reversed] })
        assert.match(output.toString(), /^\d+\n$/)
        return Number(output)
      }

      test('nothing else inside sees the environment of a command apart, nor finds it in memory', async () => {
        let isBegun = false
        const apart = sandbox.exec({
          shell: 'echo "${#SECRET}"; sleep 600',
          env: { SECRET: secret },
          timeoutMs: COMMAND_MS,
          ownNamespace: true,
          onOutput: () => (isBegun = true),
        })
        await until(() => isBegun, 'it has begun')
        assert.equal(await text('cat /proc/[0-9]*/environ | grep -ac "SECRET="'), '0')
        assert.equal(await search(), 0)
        apart.kill()
        await apart.result
        assert.equal(await search(), 0)
        // The search finds what is there: a command that is not apart is open to others.
        const beside = sandbox.exec({ shell: 'sleep 600; :', env: { SECRET: secret }, timeoutMs: COMMAND_MS })
        assert.ok((await search()) > 0)
        beside.kill()
        await beside.result
      })
    }

    test('refuses ids that are no names of folders', async () => {
      for (const id of ['', '.', '..', '../up', 'a/b', 'Upper', '-dash', 'x'.repeat(64)])
        await assert.rejects(provider.create({ id, limits: testLimits }), /not the id of a sandbox/)
    })

    test('says by its probe whether it isolates', async () => {
      const status = await provider.probe()
      assert.equal(status.isolated, isolates, status.problems.join(' '))
      assert.equal(status.problems.length === 0, status.isolated)
      assert.ok((await provider.list()).every((id) => !id.startsWith('probe')))
    })
  })
}
