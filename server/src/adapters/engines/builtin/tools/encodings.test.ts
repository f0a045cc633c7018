import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { runTool } from '#adapters/engines/builtin/run-tool.ts'
import type { JsonObject } from '#base/json.ts'
import { testContext } from '#test/test-context.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { applyEdit } from './apply-edit.ts'
import { decodeFile } from './decode-file.ts'

const makeWorkspace = testWorkspaces()
let sandbox: Sandbox
before(async () => {
  sandbox = await makeWorkspace({})
})

const french = 'Café déjà vu, naïve, Zürich, señor'
const russian = 'Привет, как дела сегодня в городе'
const polish = 'Zażółć gęślą jaźń'
const greek = 'Καλημέρα κόσμε'
const japanese = 'これは日本語の文章です。カタカナもあります。'
const chinese = '这是一个中文文件，我们在这里说明它的内容和用法。'
const taiwanese = '這是一個中文檔案，我們在這裡說明它的內容和用法。'
const korean = '이것은 한국어로 쓴 문서이며 내용을 설명합니다'

/** By the names of Python, which writes them for us: what text, and what it is taken for. */
const encodings: Record<string, [text: string, name: string | null]> = {
  'utf-8': [`${french} ${japanese} 😀`, null],
  'utf-8-sig': [french, 'UTF-8 with a byte order mark'],
  'utf-16': [`${french} 😀`, 'UTF-16LE'],
  'utf-16-be': [`${french} 😀`, 'UTF-16BE'],
  'latin-1': [french, 'Windows-1252'],
  cp1252: [`${french} “quoted” – 5 €`, 'Windows-1252'],
  'iso8859-15': [`${french} 5 €`, 'Windows-1252'],
  cp1250: [polish, 'Windows-1252'],
  'iso8859-2': [polish, 'Windows-1252'],
  cp437: ['naïve ñandú', null],
  'mac-roman': [french, null],
  cp1251: [russian, 'Windows-1251'],
  'koi8-r': [russian, 'KOI8-R'],
  cp866: [russian, 'IBM866'],
  'iso8859-5': [russian, 'ISO-8859-5'],
  cp1253: [greek, null],
  'iso8859-7': [greek, null],
  cp1254: ['Türkçe ığüşöç', null],
  cp1255: ['שלום עולם', null],
  cp1256: ['مرحبا بالعالم', null],
  'tis-620': ['สวัสดีชาวโลก', null],
  shift_jis: [japanese, 'Shift_JIS'],
  cp932: [`${japanese} ①ｶﾅ`, 'Shift_JIS'],
  'euc-jp': [japanese, 'EUC-JP'],
  iso2022_jp: [japanese, 'ISO-2022-JP'],
  'euc-kr': [korean, 'EUC-KR'],
  gbk: [chinese, 'GB 18030'],
  gb18030: [`${chinese} ߷`, 'GB 18030'],
  big5: [taiwanese, 'Big5'],
}
const names = Object.keys(encodings)
const around = (text: string, value: string) => `# ${text}\r\nvalue = ${value} # ${text}\n\rmac ${text}\rlast ${text}`

/** A text in each encoding, as Python writes it. */
function written(textOf: (name: string) => string): Map<string, Buffer> {
  const input = JSON.stringify(names.map((name) => [name, (name === 'utf-16-be' ? '\ufeff' : '') + textOf(name)]))
  const program =
    'import sys,json,base64;print(json.dumps([base64.b64encode(t.encode(n)).decode() for n,t in json.load(sys.stdin)]))'
  const output = execFileSync('python3', ['-c', program], { input, encoding: 'utf8' })
  return new Map((JSON.parse(output) as string[]).map((text, index) => [names[index]!, Buffer.from(text, 'base64')]))
}

const call = async (name: string, input: JsonObject) => (await runTool({ name, input }, testContext(sandbox))).result
const put = (path: string, bytes: Uint8Array) => sandbox.writeFile(`${sandbox.paths.workspace}/${path}`, bytes)
const get = (path: string) => sandbox.readFile(`${sandbox.paths.workspace}/${path}`)

describe('files in many encodings', () => {
  const old = written((name) => around(encodings[name]![0], '1'))
  const fresh = written((name) => around(encodings[name]![0], '23'))

  for (const name of names) {
    test(`${name}: an edit changes no byte besides its own, and says what it is`, async () => {
      assert.ok(names.length >= 20)
      const path = `${name}.txt`
      await put(path, old.get(name)!)
      const { text } = await call('read', { path })
      const shown = encodings[name]![1]
      if (shown) assert.ok(text.endsWith(`[in ${shown}, which edit and write keep]`), text)
      const edited = await call('edit', { path, old_text: 'value = 1', new_text: 'value = 23' })
      assert.equal(edited.isError, undefined, edited.text)
      assert.equal((await get(path)).toString('hex'), fresh.get(name)!.toString('hex'))
      // And back, by a whole line as `read` shows it.
      const line = /^ +2\t(.*)$/m.exec((await call('read', { path })).text)?.[1] ?? ''
      const back = await call('edit', { path, old_text: line, new_text: line.replace('23', '1') })
      assert.equal(back.isError, undefined, back.text)
      assert.equal((await get(path)).toString('hex'), old.get(name)!.toString('hex'))
    })
  }

  test('text that the encoding has is written in it, and other text is refused by name', async () => {
    for (const [name, added, unfit] of [
      ['cp1252', 'über – 5 €', '日'],
      ['shift_jis', 'ひらがな', 'é'],
      ['euc-kr', '한국', '😀'],
      ['big5', '說明', '😀'],
      ['koi8-r', 'Мир', 'é'],
      ['utf-16', '日本 😀', null],
      ['utf-8-sig', '日本 😀', null],
      ['iso2022_jp', 'plain', '日'],
    ] as const) {
      const path = `${name}.txt`
      await put(path, old.get(name)!)
      const done = await call('edit', { path, old_text: 'value = 1', new_text: `value = ${added}` })
      assert.equal(done.isError, undefined, done.text)
      const expected = written((each) => around(encodings[each]![0], each === name ? added : '1'))
      assert.equal((await get(path)).toString('hex'), expected.get(name)!.toString('hex'))
      if (unfit === null) continue
      const before = await get(path)
      const refused = await call('edit', { path, old_text: 'value =', new_text: `value ${unfit}=` })
      assert.match(refused.text, new RegExp(`^Error: .* is in .*, which has no ${unfit} \\(U\\+`))
      assert.deepEqual(await get(path), before)
    }
  })

  test('write keeps the encoding of a file, and refuses what it has not', async () => {
    await put('keep.txt', old.get('cp1252')!)
    const kept = await call('write', { path: 'keep.txt', content: 'né\n' })
    assert.match(kept.text, /^replaced keep\.txt .*; kept in Windows-1252\)$/)
    assert.equal((await get('keep.txt')).toString('latin1'), 'né\n')
    assert.match(
      (await call('write', { path: 'keep.txt', content: '日\n' })).text,
      /^Error: keep\.txt is in Windows-1252, which has no 日/,
    )
    await put('mark.txt', Buffer.from('\ufeffone\n'))
    await call('write', { path: 'mark.txt', content: '\ufefftwo\n' })
    assert.equal((await get('mark.txt')).toString('utf8'), '\ufefftwo\n')
  })

  test('bytes that are no text stay where they are, and cannot be written anew', async () => {
    const bytes = Buffer.concat([Buffer.from('été '), Buffer.from([0xff, 0xc3]), Buffer.from(' x = 1 日本\n')])
    await put('broken.txt', bytes)
    assert.match(
      (await call('read', { path: 'broken.txt' })).text,
      /été \ufffd\ufffd x = 1 日本\n\[in UTF-8 with bytes that are none/,
    )
    await call('edit', { path: 'broken.txt', old_text: 'é \ufffd\ufffd x = 1', new_text: 'é \ufffd\ufffd x = 2' })
    assert.equal((await get('broken.txt')).toString('hex'), bytes.toString('hex').replace('2031', '2032'))
    const refused = await call('edit', { path: 'broken.txt', old_text: '\ufffd x', new_text: 'a\ufffdb y' })
    assert.match(refused.text, /^Error: broken\.txt is in UTF-8 with bytes that are none, in which \ufffd stands for/)
  })

  test('UTF-32 and other bytes with zeros are refused as no text', async () => {
    await put('wide.txt', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))
    assert.match(
      (await call('edit', { path: 'wide.txt', old_text: 'a', new_text: 'b' })).text,
      /^Error: wide\.txt is a binary file/,
    )
  })

  test('line ends that are mixed stay mixed', async () => {
    await put('mixed.txt', Buffer.from('one\r\ntwo  \nthree\r\nfour\rfive\n'))
    await call('edit', { path: 'mixed.txt', old_text: 'one\ntwo\nthree', new_text: 'one\ntwo\nTHREE' })
    assert.equal((await get('mixed.txt')).toString(), 'one\r\ntwo  \nTHREE\r\nfour\rfive\n')
    await call('edit', { path: 'mixed.txt', old_text: 'one', new_text: 'zero\none' })
    assert.equal((await get('mixed.txt')).toString(), 'zero\r\none\r\ntwo  \nTHREE\r\nfour\rfive\n')
    await put('mac.txt', Buffer.from('one\rtwo\rthree\r'))
    assert.match((await call('read', { path: 'mac.txt' })).text, /^ {4}1\tone\n {4}2\ttwo\n {4}3\tthree$/)
    await call('edit', { path: 'mac.txt', old_text: 'one\ntwo', new_text: 'one\n2\ntwo' })
    assert.equal((await get('mac.txt')).toString(), 'one\r2\rtwo\rthree\r')
  })
})

test('whatever the bytes are, none besides the change becomes another one', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0))),
    fc.string({ maxLength: 20, unit: 'binary' }).map((text) => Buffer.from(text.replaceAll('\0', ''))),
  )
  fc.assert(
    fc.property(piece, piece, (before, after) => {
      const file = Buffer.concat([before, Buffer.from('\nNEEDLE\n'), after])
      const decoded = decodeFile(file)
      if (!decoded || decoded.encoding.startsWith('UTF-16')) return
      const applied = applyEdit(decoded.text, { oldText: '\nNEEDLE\n', newText: '\nOTHER\n', replaceAll: false })
      const [change] = applied?.changes ?? []
      assert.ok(change)
      const [start, end] = [decoded.byteAt(change.start), decoded.byteAt(change.end)]
      assert.equal(file.subarray(start, end).toString('latin1'), 'NEEDLE')
      assert.equal(start, before.length + 1)
    }),
    { numRuns: 2_000 },
  )
})
