/** What readers of foreign text stumble over: characters and beginnings that end, escape, open or repeat something. */
export const pieces = [
  '\r',
  ' ',
  '\n',
  '\t',
  'a',
  '1',
  '[',
  '(',
  '{',
  '<',
  '/',
  '\\',
  '`',
  '"',
  "'",
  '-',
  '.',
  ':',
  '#',
  '@',
  '*',
  '=',
  '&',
  '\u2028',
  '\ufffd',
  '\u200d',
  '\ud800',
  '\u001b[',
  '\u001b]',
  '\u00ad',
  'é',
  '\0',

  '\r\n',
  '<!--',
  '-->',
  '[a\u2028',
  '[a]: #',
  '> ',
  '```\n',
  '```json\n',
  '~~~',
  '- ',
  'a: ',
  '&a ',
  '*a ',
  '|\n',
  '  - ',

  '<!--runwright:',
  'runwright:',
  '@bot',
  ' `a` ``',
  'RUN a\\\n',
  'setup:\n',
  '$ a #',
  ' #',
  'apt -apt ',
  'npm ',
  'https:a',
  ' error ',

  '.js:1:1',
  'File "',
  'a.py:1: ',
  'def a(',
  'x = (',
  '[exit 1',
  '</data',
  'error: ',
  'FAIL ',
  'rw_',
  'ghp_a',
  'AKIA',
  '0000',
  '0005a',

  'diff --git a/a b/b\n',
  '@@ -1,9 +1,9 @@\n',
  '+++ b/"\\303',
  '{"a":',
  '["',
  'shallow ',
  '/a/b',
  '1,1',
  'e1 ',
  '∎',
]

/** Pairs of these are looked at in turns. */
const common = ['\r', ' ', '\n', 'a', '1', '[', '<', '/', '\\', '`', '"', '-', '.', ':', '\u2028', '<!--']

export type Text = [name: string, text: string]

/** Texts of so many characters; with `isThorough` the pairs too. Made when they are asked for: they are large. */
export function* texts(characters: number, isThorough: boolean): Generator<Text> {
  const fill = (piece: string) => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters)
  for (const piece of pieces) {
    yield [`${JSON.stringify(piece)} again and again`, fill(piece)]
    yield [`${JSON.stringify(piece)} again and again, then another`, `${fill(piece)}x`]
    yield [`lines that begin with ${JSON.stringify(piece)}`, fill(`${piece.repeat(40)}\n`)]
  }
  for (const one of isThorough ? common : [])
    for (const other of common) {
      if (one === other) continue
      yield [`${JSON.stringify(one)} and ${JSON.stringify(other)} in turns`, fill(one + other)]
      yield [`rows of ${JSON.stringify(one)}, each ended by ${JSON.stringify(other)}`, fill(one.repeat(100) + other)]
    }
  const half = Math.floor(characters / 2)
  for (const [open, close] of ['[]', '{}', '()', '<>'].map((pair) => [...pair] as [string, string]))
    yield [`${open} within ${open}`, open.repeat(half) + close.repeat(half)]
  yield ['one long line of words', fill('the quick brown fox ')]
  yield ['lines of two letters', fill('ab\n')]
  yield ['bytes at random', randomText(characters)]
}

/** The same each time. */
function randomText(characters: number): string {
  const bytes = Buffer.alloc(characters)
  let state = 12_345
  for (let at = 0; at < characters; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    bytes[at] = state >> 16
  }
  return bytes.toString().slice(0, characters)
}
