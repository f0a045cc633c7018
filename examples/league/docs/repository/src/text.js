export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function truncate(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

export function countWords(text) {
  return text.split(/\s+/).filter(Boolean).length
}

const isBlank = (line) => line.trim() === ''

export function dropBlankLines(text) {
  return text.split('\n').filter((line) => !isBlank(line)).join('\n')
}
