import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenForms, type WrittenForm } from '#test/written-forms.ts'
import { openRedactor } from './redactor.ts'

const secrets = {
  RANDOM: 'k9X2mQ7vB4nL8wR3tY6pZ1cD5fG',
  SIGNS: 'tR4!x#9Lm$2q^Zk7&wP3v*B8nC5%',
  PEM: [
    '-----BEGIN PRIVATE KEY-----',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZx3vT1qk9sWc7PyB',
    'm4RfJ8hUe2dLnK6oVtXiYgM5z0ChRANCAATw7bQpE9rSuF3jHkDl1xNvGc8yZoWi',
    'A6mTq4KtBe5PnXfV2sLJ0hUdRgYC7wMk9zQvE3iOb1N8xSjFa6TlHy5D',
    '-----END PRIVATE KEY-----',
    '',
  ].join('\n'),
  JWT: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1LTgxOTM3NDI2NTAiLCJqdGkiOiJxN1h2UDJrTTl3In0.dQw4w9WgXcQ7sLm2Zp8RkT1vB6nY3jHfUaE5iOxKcGM',
  WORDS: 'correct-horse-battery-staple',
}
const redactor = openRedactor(Object.entries(secrets).map(([name, value]) => ({ name, value })))

/** So many characters of a secret must not be left in a row: fewer may, where they share a group with their neighbors. */
const leftMax = 6

/** As long, of the same kinds of characters, and another: what is the same in both is no secret. */
const decoyOf = (value: string) =>
  value
    .split(/(\n|^eyJ.*eyJ\w{8})/)
    .map((line) =>
      /^-----|^eyJ/.test(line)
        ? line
        : line
            .replace(/[a-z]/g, (sign) => String.fromCharCode(97 + ((sign.charCodeAt(0) - 97 + 11) % 26)))
            .replace(/[A-Z]/g, (sign) => String.fromCharCode(65 + ((sign.charCodeAt(0) - 65 + 7) % 26)))
            .replace(/\d/g, (sign) => String((Number(sign) + 3) % 10)),
    )
    .join('')

/** A letter that is printed again over the last one is left where a text is cut between them. */
const shown = (masked: Buffer) => masked.toString().replaceAll('\b', '^').replace(/\]\^./, ']')

function written({ write }: WrittenForm, value: string): Buffer {
  return Buffer.concat([
    Buffer.from('before:\n'),
    Buffer.from(write(value) as string),
    Buffer.from('\n"" that was it\n'),
  ])
}

const folded = (text: Buffer | string) =>
  text
    .toString('latin1')
    .toLowerCase()
    .replaceAll('\u001b[', '^')
    .replace(/\^\d+m/g, '')
    .replace(/[^a-z0-9]/g, '')

function whatIsLeft(form: WrittenForm, value: string, masked: Buffer): string[] {
  const all = folded(Buffer.from(form.write(value) as string))
  const decoy = folded(Buffer.from(form.write(decoyOf(value)) as string))
  const least = Math.max(leftMax, Math.ceil((leftMax * all.length) / value.length))
  const rest = masked.toString('latin1').split(/\[redacted(?::\w+)?\]/)
  const left: string[] = []
  for (const one of rest.map(folded))
    for (let at = 0; at + least <= one.length; at++) {
      const part = one.slice(at, at + least)
      if (all.includes(part) && !decoy.includes(part)) left.push(part)
    }
  return left
}

function inPieces(bytes: Buffer, next: () => number): Buffer {
  const stream = redactor.openStream()
  const out: Buffer[] = []
  for (let from = 0; from < bytes.length;) {
    const length = next()
    out.push(stream.write(Buffer.from(bytes.subarray(from, from + length))))
    from += length
  }
  return Buffer.concat([...out, stream.end()])
}

function numbers(seed: number): () => number {
  let at = seed
  return () => 1 + (((at = (Math.imul(at, 1_103_515_245) + 12_345) & 0x7fff_ffff) >>> 8) % 40)
}

for (const form of writtenForms) {
  test(`a secret is taken out that is written as: ${form.name}`, () => {
    for (const [name, value] of Object.entries(secrets)) {
      // Half of what is made of words is words.
      if (form.isPart && name === 'WORDS') continue
      const text = written(form, value)
      const whole = inPieces(text, () => 1_000_000)
      assert.deepEqual(whatIsLeft(form, value, whole), [], `${name}: ${whole.toString()}`)
      assert.match(whole.toString(), /^before:\n[^]*that was it\n$/, name)
      for (let seed = 1; seed <= 8; seed++)
        assert.equal(shown(inPieces(text, numbers(seed * 7_919))), shown(whole), `${name}, in pieces (${seed})`)
      assert.equal(shown(inPieces(text, () => 1)), shown(whole), `${name}, byte by byte`)
    }
  })
}
