export function tokenize(text) {
  const tokens = []
  let position = 0
  while (position < text.length) {
    const character = text[position]
    if (character === ' ') {
      position++
    } else if (isDigit(character)) {
      let end = position
      while (end < text.length - 1 && isDigit(text[end])) end++
      tokens.push(Number(text.slice(position, end)))
      position = Math.max(end, position + 1)
    } else {
      tokens.push(character)
      position++
    }
  }
  return tokens
}

function isDigit(character) {
  return character >= '0' && character <= '9'
}
