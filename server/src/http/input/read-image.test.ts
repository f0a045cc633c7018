import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readImage } from './read-image.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const png = (width: number, height: number) => {
  const bytes = hex('89504e470d0a1a0a 0000000d 49484452 00000000 00000000 0802000000')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const exif = `ffe1 0010 ${'00'.repeat(14)}`

test('an image is what its first bytes say, and as large', () => {
  const images: [Buffer, string, number, number][] = [
    [png(30_000, 20_000), 'image/png', 30_000, 20_000],
    [hex('474946383961 0a00 1400 800000'), 'image/gif', 10, 20],
    [hex('52494646 00000000 57454250 56503858 0a000000 10000000 0f2700 e70300'), 'image/webp', 10_000, 1_000],
    [hex('52494646 00000000 57454250 5650384c 00000000 2f ffc3f900 0000000000'), 'image/webp', 1_024, 1_000],
    [hex('52494646 00000000 57454250 56503820 00000000 000000 9d012a 4001 f000'), 'image/webp', 320, 240],
    [hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 00f0 0140 03'), 'image/jpeg', 320, 240],
    [hex(`ffd8 ${exif} ffffff dd 0004 0000 ffc4 0004 0000 ffc2 0011 08 1f40 1f41 03`), 'image/jpeg', 8_001, 8_000],
  ]
  for (const [bytes, mediaType, width, height] of images)
    assert.deepEqual(readImage(bytes), { mediaType, width, height })
})

test('what is cut off, empty or something else is no image', () => {
  const others = [
    '',
    'ff',
    'ffd8ff',
    'ffd8ffe0',
    'ffd8 ffe0 0000 0000000000',
    '89504e470d0a1a0a',
    '474946383961',
    '424d00000000',
  ]
  for (const text of others) assert.equal(readImage(hex(text)), undefined, text)
  for (const bytes of [png(0, 1), png(1, 0), Buffer.from('<svg/>'), Buffer.from('%PDF-1.7'), Buffer.alloc(100)])
    assert.equal(readImage(bytes), undefined)
  assert.equal(readImage(Buffer.from(`\xff\xd8${'\xff'.repeat(100_000)}`, 'latin1')), undefined)
})
