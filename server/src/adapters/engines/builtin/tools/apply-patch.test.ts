import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import { testContext } from '#test/test-context.ts'
import { plain } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { offerTools } from './all-tools.ts'
import { placeHunks } from './place-hunks.ts'
import { parsePatch, type Hunk } from './parse-patch.ts'
import { ToolFailure } from './tool.ts'

const makeWorkspace = testWorkspaces()
let sandbox: Sandbox
before(async () => {
  sandbox = await makeWorkspace({})
})

const at = (path: string) => `${sandbox.paths.workspace}/${path}`
const put = (path: string, bytes: string | Buffer) => sandbox.writeFile(at(path), Buffer.from(bytes))
const get = async (path: string) => (await sandbox.readFile(at(path))).toString('latin1')
const patch = async (body: string) =>
  (
    await runTool(
      { name: 'apply_patch', input: { input: `*** Begin Patch\n${body}\n*** End Patch` } },
      testContext(sandbox),
    )
  ).result
const place = (text: string, body: string) => {
  const [parsed] = parsePatch(`*** Begin Patch\n*** Update File: a\n${body}\n*** End Patch`)
  return placeHunks({ path: 'a', text }, (parsed as { hunks: Hunk[] }).hunks).after
}

describe('apply_patch', () => {
  test('adds, changes, moves and deletes files in one call', async () => {
    await put('a.py', 'def one():\n    return 1\n\n\ndef two():\n    return 1\n')
    await put('old.txt', 'first\nsecond\n')
    await put('gone.txt', 'gone\n')
    const body = [
      '*** Update File: a.py',
      '@@ def two():',
      '-    return 1',
      '+    return 2',
      '*** Update File: old.txt',
      '*** Move to: folder/new.txt',
      '@@',
      ' first',
      '-second',
      '+2nd',
      '*** Add File: deep/er/b.txt',
      '+hello',
      '+',
      '*** Delete File: gone.txt',
    ]
    const { text, output, isError } = await patch(body.join('\n'))
    assert.ok(!isError, text)
    assert.equal(text, 'Done.\nM a.py\nA folder/new.txt\nD old.txt\nA deep/er/b.txt\nD gone.txt')
    assert.deepEqual(output['paths'], ['a.py', 'folder/new.txt', 'old.txt', 'deep/er/b.txt', 'gone.txt'])
    assert.match(plain(output['diff']), /^--- a\/a\.py\n[^]*^-second|^\+hello$/m)
    assert.equal(await get('a.py'), 'def one():\n    return 1\n\n\ndef two():\n    return 2\n')
    assert.equal(await get('folder/new.txt'), 'first\n2nd\n')
    assert.equal(await get('deep/er/b.txt'), 'hello\n\n')
    for (const path of ['old.txt', 'gone.txt']) await assert.rejects(get(path), /ENOENT/)
  })

  test('changes nothing unless all of it fits', async () => {
    await put('fits.txt', 'one\n')
    const before = await get('fits.txt')
    const fits = '*** Update File: fits.txt\n@@\n-one\n+two\n'
    const wrong: [string, RegExp][] = [
      ['*** Update File: missing.txt\n@@\n-a\n+b', /There is no file missing\.txt/],
      ['*** Delete File: missing.txt', /There is no file missing\.txt/],
      ['*** Update File: fits.txt\n@@\n-one\n+three', /names fits\.txt twice/],
      ['*** Add File: fits.txt\n+new', /There is a file fits\.txt already/],
      ['*** Add File: new.txt\nnew', /has to begin with "\+"/],
      ['*** Update File: fits.txt', /changes nothing in it/],
      ['*** Update File: fits.txt\n@@\n one', /has no line that begins with/],
      ['*** Update File: fits.txt\n@@\n?one', /begins neither with a space/],
      ['*** Rename File: fits.txt', /is no line of a patch/],
    ]
    for (const [body, reason] of wrong) {
      const { text, isError } = await patch(fits + body)
      assert.ok(isError, body)
      assert.match(text, reason)
      assert.equal(await get('fits.txt'), before)
    }
    assert.match((await patch('')).text, /changes no file/)
    for (const [input, reason] of [
      ['*** Update File: a', /begin with/],
      ['*** Begin Patch\n*** Delete File: a', /end with/],
    ] as const)
      assert.throws(
        () => parsePatch(input),
        (error) => error instanceof ToolFailure && reason.test(error.message),
      )
  })

  test('keeps encodings, line ends, marks and files without an end', async () => {
    await put('latin.txt', Buffer.from('Café\r\nnaïve\r\nend', 'latin1'))
    await patch('*** Update File: latin.txt\n@@\n-naïve\n+é\n+ü')
    assert.equal(await get('latin.txt'), 'Café\r\né\r\nü\r\nend')
    await patch('*** Update File: latin.txt\n@@\n end\n+more')
    assert.equal(await get('latin.txt'), 'Café\r\né\r\nü\r\nend\r\nmore')
    const unfit = await patch('*** Update File: latin.txt\n@@\n-more\n+日本')
    assert.match(unfit.text, /which has no 日/)
    assert.equal(await get('latin.txt'), 'Café\r\né\r\nü\r\nend\r\nmore')
    await put('data.bin', Buffer.from([1, 0, 2]))
    assert.match((await patch('*** Update File: data.bin\n@@\n-a\n+b')).text, /binary file/)
    await put('mac.txt', 'a\rb\r')
    await patch('*** Update File: mac.txt\n@@\n-b\n+c\n+d')
    assert.equal(await get('mac.txt'), 'a\rc\rd\r')
  })

  test('names a fault of syntax that it brings, and files outside of the workspace are no work', async () => {
    const { text, output } = await patch(
      '*** Add File: broken.py\n+def f(:\n+*** not a header\n*** Add File: /tmp/x\n+x',
    )
    assert.match(text, /^A broken\.py\nSyntax error at line 1/m)
    assert.deepEqual(output['paths'], ['broken.py'])
  })

  test('is offered to the models that were trained on it', () => {
    const isOffered = (id: string) =>
      offerTools({ outputSchema: null, children: undefined }, { id }).some(({ name }) => name === 'apply_patch')
    for (const id of [
      'gpt-5.1',
      'gpt-5.1-codex',
      'gpt-4.1-mini',
      'o3',
      'openai/gpt-5',
      'openai/gpt-oss-120b',
      'codex-mini',
    ])
      assert.ok(isOffered(id), id)
    for (const id of ['claude-sonnet-4-5', 'gemini-3-pro', 'qwen3-coder', 'gpt-4o', 'scripted-1', 'qwen-o3x'])
      assert.ok(!isOffered(id), id)
  })
})

test('a patch of millions of lines is refused before anything is made of them', () => {
  const began = process.cpuUsage()
  assert.throws(
    () => parsePatch(`*** Begin Patch\n*** Update File: a\n${'\n'.repeat(8_000_000)}`),
    /more than 100000 lines/,
  )
  assert.ok(process.cpuUsage(began).user < 300_000)
})

describe('where a patch fits', () => {
  const text = 'a\nif x:\n    one\n    two\nb\nif x:\n    one\n    three\n'
  test('each part stands behind the one before it, and behind the lines that are named', () => {
    assert.equal(place(text, '@@ b\n if x:\n-    one\n+    1'), text.replace(/(b\nif x:\n)    one/, '$1    1'))
    assert.equal(place(text, '@@\n-a\n+A\n@@\n-b\n+B'), text.replace('a\n', 'A\n').replace('b\n', 'B\n'))
    assert.throws(() => place(text, '@@\n-b\n+B\n@@\n-a\n+A'), /parts of a patch come in their order/)
    assert.throws(() => place(text, '@@ missing\n-a\n+A'), /has no line "missing"/)
  })

  test('a place that is one of several is not guessed', () => {
    assert.throws(() => place(text, '@@\n if x:\n-    one\n+    1'), /stand in 2 places \(lines 2, 6\)/)
    assert.equal(place(text, '@@\n-    one\n+    1\n     three'), text.replace('one\n    three', '1\n    three'))
    assert.equal(place('x\ny\nx\n', '@@\n-x\n+z\n*** End of File'), 'x\ny\nz\n')
  })

  test('lines that are only added stand behind the line that is named, or at the end', () => {
    assert.equal(place('a\nb\n', '@@ a\n+new'), 'a\nnew\nb\n')
    assert.equal(place('a\nb\n', '@@\n+new'), 'a\nb\nnew\n')
    assert.equal(place('a\nb', '+new'), 'a\nb\nnew')
    assert.equal(place('', '+new'), 'new\n')
  })

  test('spaces at the ends of lines, quotes and one shift of the indentation may differ', () => {
    assert.equal(
      place('  if a:  \n    say("x")\n', '@@\n if a:\n-  say(“x”)\n+  say("y")'),
      '  if a:  \n    say("y")\n',
    )
    assert.throws(() => place('  if a:\n    b\n', '@@\n if a:\n-    b\n+    c'), ToolFailure)
  })

  test('what other tools put around and into patches is read', () => {
    const wrapped = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a b.txt\n*** End Patch\nEOF\n"
    assert.deepEqual(parsePatch(wrapped), [{ action: 'delete', path: 'a b.txt' }])
    assert.equal(place('a\n\nb\n', '@@ -1,3 +1,3 @@\n a\n\n-b\n+c'), 'a\n\nc\n')
    assert.equal(place('a\n', '@@\r\n-a\r\n+b\r'), 'b\n')
  })

  test('a patch that is made from two texts gives the one out of the other', () => {
    const line = fc.constantFrom('a', 'b', '  a', 'x"', '', 'é')
    const lines = fc.array(line, { minLength: 1, maxLength: 12 })
    const isOpen = fc.boolean()
    const feed = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(lines, lines, fc.nat(11), isOpen, feed, (old, fresh, seed, open, end) => {
        const from = seed % old.length
        const rest = old.slice(from)
        const cut = rest.slice(0, fresh.length)
        const below = rest.slice(cut.length)
        fc.pre(fresh.some((each, index) => each !== cut[index]) && !(open && below.length === 0 && fresh.at(-1) === ''))
        const body = [
          '@@',
          ...old.slice(0, from).map((each) => ` ${each}`),
          ...cut.map((each) => `-${each}`),
          ...fresh.map((each) => `+${each}`),
          ...below.map((each) => ` ${each}`),
        ]
        const join = (all: string[]) => all.join(end) + (open && all.at(-1) !== '' ? '' : end)
        // A file of one open line does not say how its lines end.
        fc.pre(join(old).trim() !== '' && !(open && old.length === 1))
        const after = [...old.slice(0, from), ...fresh, ...below]
        const isEmptyEnd = open && (old.at(-1) === '' || after.at(-1) === '')
        fc.pre(!isEmptyEnd)
        assert.equal(place(join(old), body.join('\n')), join(after))
      }),
      { numRuns: 500 },
    )
  })
})
