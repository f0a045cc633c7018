import { tokenize } from './tokens.js'

const OPERATORS = {
  '+': { rank: 1, apply: (a, b) => a + b },
  '-': { rank: 1, apply: (a, b) => a - b },
  '*': { rank: 2, apply: (a, b) => a * b },
  '/': { rank: 2, apply: (a, b) => a / b },
}

export function evaluate(text) {
  const values = []
  const operators = []
  const reduce = () => {
    const right = values.pop()
    const left = values.pop()
    values.push(OPERATORS[operators.pop()].apply(left, right))
  }
  for (const token of tokenize(text)) {
    if (typeof token === 'number') values.push(token)
    else if (token === '(') operators.push(token)
    else if (token === ')') {
      while (operators.at(-1) !== '(') reduce()
      operators.pop()
    } else {
      while (operators.length && OPERATORS[operators.at(-1)]?.rank >= OPERATORS[token].rank) reduce()
      operators.push(token)
    }
  }
  while (operators.length) reduce()
  return values.pop()
}
