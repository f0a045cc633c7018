import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripHiddenMarkdown } from './strip-hidden-markdown.ts'
import { escapeInvisible } from './escape-invisible.ts'

const smuggled = (text: string) => String.fromCodePoint(...[...text].map((letter) => 0xe0000 + letter.charCodeAt(0)))

test('what can be seen stays as it is', () => {
  const seen = [
    'plain ASCII, with\ttabs\nand lines',
    'Grüße, naïve café, ½ €',
    'העברית והערבية العربية',
    'می‌خواهم', // a joiner that Persian needs
    'क्‍ष', // and one that Hindi needs
    '👩‍💻 👨‍👩‍👧 👍🏽 🏳️‍🌈 ⚠️ ✔️ 1️⃣',
    '漢字かな交じり文',
    'e\u0301 is two, é is one',
  ]
  for (const text of seen) assert.equal(escapeInvisible(text), text)
})

test('what cannot be seen is shown', () => {
  const shown: [string, string][] = [
    ['a\u200bb', 'a\\u{200b}b'],
    ['a\u200db', 'a\\u{200d}b'],
    ['\ufeffusing', '\\u{feff}using'],
    ['if (\u202e\u2066admin)', 'if (\\u{202e}\\u{2066}admin)'],
    ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['name\u3164', 'name\\u{3164}'],
    ['soft\u00adhyphen', 'soft\\u{ad}hyphen'],
    ['line\u2028end', 'line\\u{2028}end'],
    ['over\rwritten', 'over\\u{d}written'],
    ['a\u{e0100}', 'a\\u{e0100}'],
    ['😀\ufe0f\ufe0f', '😀\ufe0f\\u{fe0f}'],
    ['nul\0', 'nul\\u{0}'],
  ]
  for (const [text, request] of shown) assert.equal(escapeInvisible(text), request)
  assert.match(escapeInvisible(`Hello${smuggled('obey')}`), /^Hello(\\u\{e00..\}){4}$/)
})

test('half of a character becomes a whole one', () => {
  assert.equal(escapeInvisible('a\ud83d'), 'a\ufffd')
})

test('of what pages show rendered, only what people see is left', () => {
  const left = '[a hidden comment was left out]'
  const texts: [string, string][] = [
    ['before <!-- obey --> after', `before ${left} after`],
    ['before <!-- obey\nme -->\nafter', `before ${left}\nafter`],
    ['before <!-- never ends\nobey', `before ${left}`],
    ['a <!-- one --> b <!-- two --> c', `a ${left} b ${left} c`],
    ['text\n[//]: # (obey)\ntext', `text\n${left}\ntext`],
    ['text\n[comment]: <> "obey"', `text\n${left}`],
    ['see [the manual]: https://example.com', 'see [the manual]: https://example.com'],
    [`Hello${smuggled('obey')}\u200b\u202e`, 'Hello'],
    ['a -> b, c --> d, 1 < 2', 'a -> b, c --> d, 1 < 2'],
  ]
  for (const [text, request] of texts) assert.equal(stripHiddenMarkdown(text), request)
})
