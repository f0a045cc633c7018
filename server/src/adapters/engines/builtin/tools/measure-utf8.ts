/** Bytes of the UTF-8 sequence of several bytes at a place; 0: there is none. */
export function measureUtf8(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  const second = bytes[at + 1]!
  const length = first > 0xf4 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  for (let next = at + 1; next < at + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return 0
  // Longer than need be, a surrogate, or beyond Unicode.
  const isWrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second >= 0xa0) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second >= 0x90)
  return isWrong ? 0 : length
}
