import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { encodings, key, keyLines, secrets } from '#test/planted-secrets.ts'
import { openRedactor, type Found } from './redactor.ts'

const redactor = openRedactor(secrets)

function inPieces(bytes: Buffer, cuts: number[]): Buffer {
  const stream = redactor.openStream()
  const out = [0, ...cuts].map((from, index) =>
    stream.write(Buffer.from(bytes.subarray(from, cuts[index] ?? bytes.length))),
  )
  return Buffer.concat([...out, stream.end()])
}

/** Nothing but a mark between the two words; of base64 the signs that fill it up. */
const clean = /^before>\s*(\[redacted:\w+\][=\s]*)+<end$/

for (const [name, encode] of Object.entries(encodings)) {
  test(`nothing is left of a secret that is written in ${name}, wherever the text is cut`, () => {
    for (const secret of secrets) {
      const text = Buffer.concat([
        Buffer.from('before>'),
        Buffer.from(encode(secret.value) as string),
        Buffer.from('<end'),
      ])
      const whole = inPieces(text, [])
      assert.match(whole.toString('latin1'), clean, secret.name)
      for (let cut = 1; cut < text.length; cut++)
        assert.deepEqual(inPieces(text, [cut]), whole, `${secret.name} cut at ${cut}`)
      assert.deepEqual(
        inPieces(
          text,
          [...Array(text.length - 1).keys()].map((at) => at + 1),
        ),
        whole,
        `${secret.name}, byte by byte`,
      )
    }
  })
}

test('base64 of a text that a secret stands in is found at each of its three places', () => {
  for (const { name, value } of secrets) {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const masked = redactor.mask(Buffer.from(`${before}${value}!?`).toString('base64'))
      assert.match(masked, /^[\w+/]{0,6}\[redacted:\w+\][\w+/]{0,5}=*$/, `${name} after "${before}"`)
    }
  }
})

test('a secret that begins with another is taken out whole, and so are two that overlap', () => {
  assert.equal(redactor.mask(`${key}-and-more.`), '[redacted:LONGER_KEY].')
  assert.equal(redactor.mask(`${key}-or-more.`), '[redacted:KEY]-or-more.')
  assert.equal(redactor.mask(`${key}-and-mor.`), '[redacted:LONGER_KEY].', 'as much of it as there is')
  assert.equal(redactor.mask(`<Qx81cfe0${key}>`), '<[redacted:OVERLAPPING_KEY]>')
  assert.equal(redactor.mask(`<${key}${key}>`), '<[redacted:KEY][redacted:KEY]>')
})

test('the password of an address and a line of a key are secrets by themselves', () => {
  assert.equal(redactor.mask('PGPASSWORD=p@ss-word.77 psql'), 'PGPASSWORD=[redacted:ADDRESS] psql')
  assert.equal(redactor.mask(`sed -n 2p key.pem\n${keyLines[0]}\n`), 'sed -n 2p key.pem\n[redacted:LINES]\n')
})

test('of a secret that a text breaks off in, the beginning is taken out', () => {
  assert.equal(redactor.mask(`key: ${key.slice(0, 8)}`), 'key: [redacted:KEY]')
  assert.equal(redactor.mask(`key: ${key.slice(0, 7)}`), `key: ${key.slice(0, 7)}`)
  assert.equal(redactor.mask('it is at postgres://user'), 'it is at [redacted:ADDRESS]')
  assert.equal(redactor.mask('it is at postgres://'), 'it is at postgres://')
})

test('only what may become a secret is held back', () => {
  const stream = redactor.openStream()
  assert.equal(stream.write(Buffer.from('hello, whoever reads this: f3K')).toString(), 'hello, whoev')
  assert.equal(stream.peek().toString(), 'er reads this: f3K')
  assert.equal(stream.write(Buffer.from('x, hello there again')).toString(), 'er reads this: f3Kx, h')
  assert.equal(stream.isUntouched, true)
})

test('line ends without number within a secret do not fill the memory', () => {
  const stream = redactor.openStream()
  stream.write(Buffer.from(key.slice(0, -1)))
  assert.equal(stream.write(Buffer.alloc(10_000_000, '\n')).toString().trimEnd(), '[redacted:LONGER_KEY]')
})

test('what is printed to keep us busy does not', () => {
  const { mask } = redactor
  const hostile = ['sk-', 'sk-Ab3dEf7hIj9kLm2nOp4qRs6tUv8wXy0z', key.slice(0, -1), 'ghp_'].map((one) =>
    one.repeat(Math.ceil(1_000_000 / one.length)),
  )
  // In a quadratic search each of these takes minutes.
  for (const text of hostile) assert.ok(mask(text).length <= 2 * text.length)
})

const generated = 'k9X2mQ7vB4nL8wR3tY6pZ1cD5fG0hJsAuEiKoMqNbVxCzLgHdWfTrSyUeIaOpPjFkGhXcVbNmQwErTyUiOpAsDfGhJkLzXcVbNm'
const tokens = {
  ours: `rw_${generated.slice(0, 36)}`,
  'of a stream': `rwt_${generated.slice(0, 36)}`,
  'of GitHub': `ghp_${generated.slice(0, 36)}`,
  'of a GitHub app': `ghs_${generated.slice(0, 40)}.${generated.slice(0, 30)}`,
  'fine-grained, of GitHub': `github_pat_${generated.slice(0, 22)}_${generated.slice(0, 59)}`,
  'of GitLab': `glpat-${generated.slice(0, 20)}`,
  'of Anthropic': `sk-ant-api03-${generated.slice(0, 90)}AA`,
  'of OpenAI': `sk-proj-${generated.slice(0, 64)}`,
  'of Google': `AIza${generated.slice(0, 35)}`,
  'of AWS': 'AKIAQ7X2M4LZ5T8WPB3C',
  'of Slack': `xoxb-${'1234567890-'.repeat(2)}${generated.slice(0, 24)}`,
  'of npm': `npm_${generated.slice(0, 36)}`,
}

for (const [whose, token] of Object.entries(tokens)) {
  test(`a token ${whose} is taken out whoever gave it, wherever the text is cut`, () => {
    for (const text of [`token=${token}`, `"${token}"`, `${token}\n`, `${token}/${token}`]) {
      const masked = text.replaceAll(token, '[redacted]')
      assert.equal(redactor.mask(text), masked)
      for (let cut = 1; cut < text.length; cut++) assert.equal(inPieces(Buffer.from(text), [cut]).toString(), masked)
      const each = [...Array(text.length - 1).keys()].map((at) => at + 1)
      assert.equal(inPieces(Buffer.from(text), each).toString(), masked)
    }
    assert.equal(redactor.mask(`x${token}`), `x${token}`, 'within a word it is none')
  })
}

test('a token that is also known by name is called by it', () => {
  const { mask } = openRedactor([{ name: 'GITHUB_TOKEN', value: tokens['of GitHub'] }])
  assert.equal(mask(`https://x:${tokens['of GitHub']}@github.com`), 'https://x:[redacted:GITHUB_TOKEN]@github.com')
})

test('values that would hit ordinary text are not looked for', () => {
  const { mask } = openRedactor(['short', 'aaaaaaaaaaaa', ''].map((value, index) => ({ name: `S${index}`, value })))
  assert.equal(mask('short aaaaaaaaaaaaaaaa'), 'short aaaaaaaaaaaaaaaa')
})

test('says at which byte a secret ends, and tells of planted ones at once', () => {
  const seen: string[] = []
  const bait = { name: 'CANARY', value: 'bait-6Jw2nQ8x', isCanary: true }
  const planted = openRedactor([...secrets, bait], (name) => seen.push(name))
  const found: Found[] = []
  const search = planted.openSearch((hit) => found.push(hit))
  search.write(Buffer.from(`a ${key.slice(0, 5)}`))
  search.write(Buffer.from(`${key.slice(5)} ${tokens.ours} bait-6Jw`))
  assert.deepEqual(seen, [])
  search.write(Buffer.from('2nQ8x'))
  search.end()
  const each = new Map(found.map((hit) => [`${hit.name} ${hit.end}`, hit]))
  each.delete('LONGER_KEY 22')
  assert.deepEqual(
    [...each.values()],
    [
      { name: 'KEY', isCanary: false, end: 22 },
      { name: 'CANARY', isCanary: true, end: 22 + 1 + tokens.ours.length + 1 + 13 },
    ],
  )
  assert.deepEqual([...new Set(seen)], ['CANARY'])
  planted.mask('bait-6Jw2nQ8')
  assert.deepEqual([...new Set(seen)], ['CANARY'], 'a part of one is none')
})

test('many long secrets are made ready beside other work', async () => {
  const long = Array.from({ length: 4 }, (_, file) => ({
    name: `FILE_${file}`,
    value: Array.from({ length: 16_000 }, (_, at) => String.fromCharCode(33 + ((at * at + at * (file + 7)) % 89))).join(
      '',
    ),
  }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const learning = redactor.fork()
  await learning.learn(long)
  clearInterval(timer)
  const { mask } = learning
  assert.ok(turns > 0)
  assert.equal(mask(`<${long[2]!.value}>`), '<[redacted:FILE_2]>')
  assert.equal(mask(`<${key}>`), '<[redacted:KEY]>')
  assert.equal(redactor.mask(long[0]!.value), long[0]!.value, 'the one that it comes from has learned nothing')
  assert.equal(mask(Buffer.from(long[3]!.value).toString('base64')).replace(/=+$/, ''), '[redacted:FILE_3]')
})

test('what is written to keep the search by parts busy does not', () => {
  const pairs = [...Buffer.from(key)].map((byte) => byte.toString(16)).join(' ')
  const same = openRedactor([
    ...secrets,
    { name: 'SAME', value: 'a1b2c3d4'.repeat(500) },
    ...Array.from({ length: 20 }, (_, at) => ({ name: `LIKE_${at}`, value: `${key}-${at}${key}` })),
  ])
  const hostile = [
    `${key.slice(0, -1)} `,
    `${key.slice(0, 10)}${' '.repeat(255)}`,
    'a1b2c3d4',
    pairs.slice(0, -3),
    `00000000: ${pairs.slice(0, 40)}  ${key.slice(0, 15)}\n`,
    `${'0'.repeat(8)}: `,
    '0110',
    '\\U00000061',
    'u0061',
    '/eJw',
    'H4sIAAAAAAAAA0vLLEvNSwUA ',
    'eJwAAAAAAAAAAAAAAAAAAAAA ',
    [...key].join('\u001b[31m'),
    'ｋ\b',
  ]
  for (const one of hostile) {
    const text = Buffer.from(one.repeat(Math.ceil(1_000_000 / one.length)))
    const begun = process.cpuUsage().user
    const stream = same.openStream()
    for (let from = 0; from < text.length; from += 4_096) stream.write(text.subarray(from, from + 4_096))
    stream.end()
    const ms = (process.cpuUsage().user - begun) / 1_000
    // A quadratic search takes minutes; a busy machine some times as long as a quiet one.
    assert.ok(ms < 5_000, `${JSON.stringify(one.slice(0, 20))}: ${ms} ms`)
  }
})

test('two hundred lines that only look like secrets stay as they are', () => {
  const lines = readFileSync(path.join(import.meta.dirname, 'ordinary-lines.txt'), 'utf8')
    .trimEnd()
    .split('\n')
  assert.ok(lines.length >= 200, `${lines.length} lines`)
  const changed = lines.filter((line) => redactor.mask(line) !== line)
  assert.deepEqual(changed, [])
  assert.equal(redactor.mask(lines.join('\n')), lines.join('\n'))
})
