import { measureUtf8 } from './measure-utf8.ts'
import { openCharset, type CharsetName } from './open-charset.ts'

const SAMPLE_BYTES = 64 * 1024

/**
 * In which encoding bytes that are not UTF-8 most likely are; null: UTF-8 with a few that are none. A wrong guess shows wrong
 * letters and changes no byte, since what is read and what is written go through the same table.
 */
export function detectCharset(bytes: Buffer): CharsetName | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  if (isMostlyUtf8(bytes)) return null
  return findCyrillic(sample) ?? findEastAsian(sample) ?? 'windows-1252'
}

function isMostlyUtf8(bytes: Buffer): boolean {
  let [good, bad] = [0, 0]
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]! < 0x80 ? 1 : measureUtf8(bytes, at)
    if (length === 0) bad++
    if (length > 1) good++
    at += length || 1
  }
  return good > bad
}

/** Words of Cyrillic are mostly small letters, and only the right one of these makes them so. */
function findCyrillic(sample: Buffer): CharsetName | null {
  const high = sample.filter((byte) => byte >= 0x80)
  const runs = sample.toString('latin1').match(/[\x80-\xff]+/g)?.length ?? 1
  if (high.length / runs < 3) return null
  const shares = (['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'] as const).map((name) => {
    const { characters } = openCharset(name)
    const small = high.filter((byte) => /[а-яё]/.test(characters.get(byte) ?? '')).length
    return { name, share: small / high.length }
  })
  return best(shares, 0.75)
}

function findEastAsian(sample: Buffer): CharsetName | null {
  const shares = (['euc-jp', 'shift_jis', 'euc-kr', 'big5', 'gb18030'] as const).map((name) => ({
    name,
    share: shareOfTypical(sample, name),
  }))
  return best(shares, 0.6)
}

/** How much of it is what texts of that encoding mostly are; 0 where something is nothing at all in it. */
function shareOfTypical(sample: Buffer, name: 'euc-jp' | 'shift_jis' | 'euc-kr' | 'big5' | 'gb18030'): number {
  const { characters } = openCharset(name)
  let [pairs, typical, kana, runs, isRun] = [0, 0, 0, 0, false]
  // A character may be cut at the end of the sample.
  for (let at = 0; at < sample.length - 1;) {
    const lead = sample[at]!
    if (lead < 0x80) {
      isRun = false
      at++
      continue
    }
    const pair = characters.get((lead << 8) | sample[at + 1]!)
    // Shift_JIS has letters of one byte too.
    const character = pair ?? (name === 'shift_jis' ? characters.get(lead) : undefined)
    if (character === undefined) {
      // GB 18030 has characters of four bytes, which are rare.
      const isLong = name === 'gb18030' && sample[at + 1]! >= 0x30 && sample[at + 1]! <= 0x39
      if (!isLong) return 0
      at += 4
      continue
    }
    pairs++
    if (!isRun) runs++
    isRun = true
    if (/[ぁ-ヶー]/.test(character)) kana++
    if (isTypical(name, character, lead)) typical++
    at += pair === undefined ? 1 : 2
  }
  // Letters of Latin stand alone among others; those of these scripts stand together.
  if (pairs < 1.5 * runs || pairs === 0) return 0
  const share = typical / pairs
  if (name === 'euc-jp' || name === 'shift_jis') return kana / pairs >= 0.1 ? 1 + share : 0
  // Common Chinese characters lie where the Korean ones do, but not only there.
  return name === 'euc-kr' ? (share >= 0.9 ? 1 + share : 0) : share
}

function isTypical(name: CharsetName, character: string, lead: number): boolean {
  if (name === 'euc-kr') return /[가-힣]/.test(character)
  if (name === 'big5') return lead >= 0xa4 && lead <= 0xc6
  if (name === 'gb18030') return lead >= 0xb0 && lead <= 0xd7
  return /[ぁ-ヶー一-龠、。]/.test(character)
}

function best(shares: { name: CharsetName; share: number }[], shareMin: number): CharsetName | null {
  const [first] = shares.toSorted((one, other) => other.share - one.share)
  return first && first.share >= shareMin ? first.name : null
}
