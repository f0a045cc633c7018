/**
 * What a text says whatever stands between: letters and digits alone, in whichever case. 0: none; digits are 1 to 10,
 * letters 11 to 36. Secrets and texts are compared in these, so that neither spaces, dots, quotes, line ends, marks of
 * quoted lines nor the case of letters hide one.
 */
export const symbolOf = new Uint8Array(256)
for (let digit = 0; digit < 10; digit++) symbolOf[48 + digit] = 1 + digit
for (let letter = 0; letter < 26; letter++) symbolOf[65 + letter] = symbolOf[97 + letter] = 11 + letter

/** So many symbols in a row lead to a place in what is looked for. */
export const seedSymbols = 8
/** How many bits each of them moves the others on: the ninth before is forgotten. */
export const seedShift = 32 / seedSymbols

/** Where each character is written in many symbols, eight say next to nothing: so many lead to a place in these. */
export const longSeedSymbols = 32

/** By symbol: drawn once and for all. 0 for what is no symbol. */
export const seedValue = new Int32Array(37)
for (let symbol = 1, at = 0x9e3779b9; symbol < seedValue.length; symbol++) {
  at = Math.imul(at ^ (at >>> 15), 0x2c1b3c6d)
  at = Math.imul(at ^ (at >>> 12), 0x297a2d39) + symbol
  seedValue[symbol] = at ^ (at >>> 15)
}
