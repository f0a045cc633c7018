import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openRedactor } from '#base/redaction/redactor.ts'
import { inspectObject } from './inspect-object.ts'

const value = 'f3Kq9ZtYw2LmX7bVn4Rs'
const redactor = openRedactor([{ name: 'DEPLOY_KEY', value }])
const id = '0123456789abcdef0123456789abcdef01234567'

function complaintOf(kind: string, path: string, ...pieces: (string | Buffer)[]): Promise<string | null> {
  const inspector = inspectObject(redactor, { kind, id, path })
  for (const piece of pieces) inspector.write(Buffer.from(piece as string))
  return inspector.end()
}

test('names the file and the line that a secret stands in, wherever the file is cut', async () => {
  const text = `one\ntwo\nkey = ${value}\nfour\n`
  for (let cut = 1; cut < text.length; cut++)
    assert.match(
      (await complaintOf('blob', 'config/prod.env', text.slice(0, cut), text.slice(cut))) ?? '',
      /^config\/prod\.env, line 3, holds the secret DEPLOY_KEY\. Take it out of every commit/,
    )
})

test('a secret in the message of a commit, or in the name of a file, is found too', async () => {
  assert.match(
    (await complaintOf('commit', '', `tree ${id}\n\nThe key: ${value}\n`)) ?? '',
    /^the commit 0123456789ab holds/,
  )
  assert.match((await complaintOf('tree', 'src', `100644 ${value}.txt\0`)) ?? '', /^the name of a file in src holds/)
  assert.match(
    (await complaintOf('tree', '', `100644 ${value}.txt\0`)) ?? '',
    /^the name of a file in the top folder holds/,
  )
})

test('what it says of a secret does not show it', async () => {
  const complaint = await complaintOf('blob', `old/${value}.txt`, value)
  assert.match(complaint ?? '', /^old\/\[redacted:DEPLOY_KEY\]\.txt, line 1,/)
})

test('tokens that only look like some may be in a repository', async () => {
  assert.equal(await complaintOf('blob', 'test/tokens.ts', 'ghp_k9X2mQ7vB4nL8wR3tY6pZ1cD5fG0hJsAuEiK'), null)
  assert.equal(await complaintOf('blob', 'a', value.slice(0, 11)), null)
})

test('half of a secret is one, and so is one that is written otherwise', async () => {
  assert.match((await complaintOf('blob', 'a', value.slice(0, -1))) ?? '', /^a, line 1, holds the secret DEPLOY_KEY/)
  const spaced = [...value].join(' ')
  assert.match((await complaintOf('blob', 'a', `one\n${spaced}\n`)) ?? '', /^a, line 2, holds the secret DEPLOY_KEY/)
})

/** As `tar` and `zip` make them, of a text that the secret stands in and of much else. */
function archives(): Record<string, Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'packed-'))
  try {
    writeFileSync(path.join(folder, 'a.txt'), 'nothing\n'.repeat(5_000))
    writeFileSync(path.join(folder, 'key.env'), `KEY=${value}\n`)
    const run = (...words: string[]) => execFileSync(words[0]!, words.slice(1), { cwd: folder })
    const tar = run('tar', 'c', 'a.txt', 'key.env')
    const zip = run(
      'python3',
      '-c',
      "import zipfile,sys,io; b=io.BytesIO(); z=zipfile.ZipFile(b,'w',zipfile.ZIP_DEFLATED); [z.write(n) for n in ('a.txt','key.env')]; z.close(); sys.stdout.buffer.write(b.getvalue())",
    )
    const gzip = gzipSync(`KEY=${value}\n`)
    return {
      gzip,
      tar,
      'tar.gz': gzipSync(tar),
      zip,
      'gzip of zip': gzipSync(zip),
      'gzip of gzip of gzip': gzipSync(gzipSync(gzip)),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

for (const [kind, archive] of Object.entries(archives()))
  test(`a secret in a file that is packed as ${kind} is found, wherever the file is cut`, async () => {
    for (const cut of [1, 300, archive.length >> 1])
      assert.match(
        (await complaintOf('blob', 'data/x.bin', archive.subarray(0, cut), archive.subarray(cut))) ?? '',
        /^data\/x\.bin, .*holds the secret DEPLOY_KEY/,
      )
  })

test('a file that unpacks into without end is let go after a bounded look', async () => {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20))
  assert.equal(await complaintOf('blob', 'bomb.gz', bomb), null)
  assert.match((await complaintOf('blob', 'bomb.gz', bomb, gzipSync(`KEY=${value}`))) ?? '', /holds the secret/)
  const many = Buffer.concat(Array.from({ length: 40_000 }, () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1])))
  assert.equal(await complaintOf('blob', 'many.gz', many), null)
})
