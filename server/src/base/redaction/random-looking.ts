import { symbolOf } from './symbols.ts'

/** A part of a secret is known by itself from this length on. */
export const partCharactersMin = 12
/** Words that are written together are shorter, or have pairs of letters as words have them. */
const runSymbolsMin = 8
const weightMin = 10

/** The pairs of letters that make up 94 of 100 in what people write, prose and programs. */
const usualPairs = new Set(
  (
    'ab ac ad ag ai al am an ap ar as at au av ay ba be bj bl bo br bu by ca ce ch ci ck cl co cr cs ct cu da dd de di dl ' +
    'do ds du ea eb ec ed ee ef eg el em en ep eq er es et ev ew ex ey fa fe fi fo fr fu fy ge gh gi gr ha he hi ho hr ' +
    'ht hu ia ib ic id ie if ig il im in io ip ir is it iv iz je js ke ki la ld le li ll lo ls lt lu ly ma me mi mo mp ' +
    'na nc nd ne nf ng ni no np ns nt oa ob oc od of og ok ol om on oo op or os ot ou ov ow pa pe pi pl pm po pp pr ps ' +
    'pt pu qu ra rc rd re rg ri rk rl rm rn ro rr rs rt ru rv ry sa sc se sh si so sp ss st su sy ta tc te th ti to tp ' +
    'tr ts tt tu ty ub ue ug ui ul um un up ur us ut va ve vi wa we wh wi wo wr xp xt yo yp'
  ).split(' '),
)

/** Words of addresses, paths and names begin and end at these; other signs may stand in a password. */
const ends = new Set(Buffer.from(' \t\r\n./:,;@&?=_-'))

/** What keys and certificates of everybody have in common: the names of their algorithms, and the lengths beside these. */
const everybodys = [
  'IBADANBgkqhkiG9w0BAQEFAASC',
  'BgkqhkiG9w0BAQ',
  'BgcqhkjOPQIBBggqhkjOPQMBBw',
  'BgkqhkjOPQIBBggqhkjOPQMBBw',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ',
  'AAAAB3NzaC1yc2EAAAADAQABAAAB',
  'AAAAC3NzaC1lZDI1NTE5AAAAI',
  'AAAAAAAA',
]
const besideBytes = 8
const tokenHeader = 'eyJ'

/**
 * For each place of a value the next one at which twelve characters begin that look random, as keys and tokens
 * are: within runs of eight letters and digits or more, letters stand beside digits or beside letters that they hardly
 * stand beside in words. The length of the value and more where there is none. By such a part a secret is known again,
 * and an ordinary text is not taken for one.
 */
export function nextRandom(value: Uint8Array): Uint32Array {
  const weights = pairWeights(value)
  const next = new Uint32Array(value.length + 1).fill(0xffff_ffff)
  let weight = 0
  for (let at = value.length - 1; at >= 0; at--) {
    // The pair at a place is that with the symbol before it, so the first of a window is not counted.
    weight += weights[at]!
    if (at + partCharactersMin < value.length) weight -= weights[at + partCharactersMin]!
    const isWhole = at + partCharactersMin <= value.length
    next[at] = isWhole && weight - weights[at]! >= weightMin ? at : next[at + 1]!
  }
  return next
}

/** What each character and the symbol before it say against words, in halves. */
function pairWeights(value: Uint8Array): Uint8Array {
  const weights = new Uint8Array(value.length)
  for (let from = 0; from < value.length; from++) {
    let end = from
    const run: number[] = []
    for (; end < value.length && !ends.has(value[end]!); end++) if (symbolOf[value[end]!]! > 0) run.push(end)
    if (run.length >= runSymbolsMin) weighRun(value, run, weights)
    from = end
  }
  forgetEverybodys(Buffer.from(value), weights)
  return weights
}

function forgetEverybodys(value: Buffer, weights: Uint8Array): void {
  for (const known of everybodys)
    for (let at = value.indexOf(known); at >= 0; at = value.indexOf(known, at + known.length))
      weights.fill(0, Math.max(0, at - besideBytes), at + known.length + besideBytes)
  // A token says first which algorithm signs it, and then begins as most of its kind do.
  const end = value.indexOf('.')
  if (value.indexOf(tokenHeader) === 0 && end > 0) weights.fill(0, 0, end + 1 + tokenHeader.length + besideBytes)
}

function weighRun(value: Uint8Array, run: number[], weights: Uint8Array): void {
  const symbols = run.map((at) => symbolOf[value[at]!]!)
  const isMixed = symbols.some(isDigit) && !symbols.every(isDigit)
  for (let index = 1; index < run.length; index++) {
    const [one, other] = [symbols[index - 1]!, symbols[index]!]
    const changes = isDigit(one) !== isDigit(other)
    if (changes) weights[run[index]!] = 2
    else if (isDigit(one)) weights[run[index]!] = isMixed ? 1 : 0
    else weights[run[index]!] = usualPairs.has(letter(one) + letter(other)) ? 0 : 2
  }
}

const isDigit = (symbol: number) => symbol <= 10
const letter = (symbol: number) => String.fromCharCode(86 + symbol)
