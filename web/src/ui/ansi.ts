export type Piece = { text: string; className: string }

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'mag', 'cyan', 'white']
// What terminals understand: CSI sequences, OSC up to its end, and single letters.
// oxlint-disable-next-line no-control-regex
const escapes = /\u001B(?:\[([0-9;:?]*)([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g

// oxlint-disable-next-line no-control-regex
const unfinished = /\u001B(?:\[[0-9;:?]*)?$/

type Style = { colour: string; isBold: boolean; isDim: boolean; isUnderlined: boolean }
const plain: Style = { colour: '', isBold: false, isDim: false, isUnderlined: false }

/** What a program printed for a terminal, as pieces with a class each. Everything else that moves a cursor is left out. */
export function readAnsi(text: string): Piece[] {
  const pieces: Piece[] = []
  let style = plain
  let from = 0
  const add = (to: number) => {
    if (to > from) pieces.push({ text: text.slice(from, to), className: classOf(style) })
  }
  for (const match of text.matchAll(escapes)) {
    add(match.index)
    from = match.index + match[0].length
    if (match[2] === 'm') style = restyle(style, (match[1] ?? '').split(/[;:]/).map(Number))
  }
  // What is still being printed may end in the middle of one.
  const rest = text.slice(from).replace(unfinished, '')
  add(from + rest.length)
  return pieces
}

function restyle(before: Style, codes: number[]): Style {
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!
    if (code === 0) style = plain
    else if (code === 1) style = { ...style, isBold: true }
    else if (code === 2) style = { ...style, isDim: true }
    else if (code === 4) style = { ...style, isUnderlined: true }
    else if (code === 22) style = { ...style, isBold: false, isDim: false }
    else if (code === 24) style = { ...style, isUnderlined: false }
    else if (code === 39) style = { ...style, colour: '' }
    else if (code >= 30 && code <= 37) style = { ...style, colour: colours[code - 30]! }
    else if (code >= 90 && code <= 97) style = { ...style, colour: code === 90 ? 'dim' : colours[code - 90]! }
    // Of 256 colours the first sixteen have names; what is given as red, green and blue is left as it is.
    else if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5
      const index = codes[at + 2] ?? 0
      if (code === 38 && isIndexed && index < 16) style = { ...style, colour: colours[index % 8]! }
      at += isIndexed ? 2 : 4
    }
  }
  return style
}

function classOf({ colour, isBold, isDim, isUnderlined }: Style): string {
  return [colour && `a-${colour}`, isBold && 'a-bold', isDim && !colour && 'a-dim', isUnderlined && 'a-under']
    .filter(Boolean)
    .join(' ')
}
