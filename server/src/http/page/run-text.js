// The little Markdown that agents write, made into elements: fences, code, bold. Everything else stays as it is written.

/** An element; what is put into it as a text stays one. */
export function element(name, attributes, children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** What somebody wrote, as paragraphs and blocks of code. Line by line, so that no text takes long. */
export function prose(text) {
  const made = []
  let lines = []
  let fence
  const close = () => {
    const written = lines.join('\n')
    if (fence !== undefined) made.push(fence === 'diff' ? diffBlock(written) : element('pre', {}, [written]))
    else if (written.trim()) made.push(element('p', { class: 'prose' }, inline(written.trim())))
    lines = []
  }
  for (const line of text.split('\n')) {
    const mark = /^```(\w*)\s*$/.exec(line)
    if (mark) {
      close()
      fence = fence === undefined ? mark[1] : undefined
    } else lines.push(line)
  }
  close()
  return made
}

/** Code and bold within a line; a mark without its other half is a character like any other. */
function inline(text) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((piece, n) => {
    if (n % 2 === 0) return piece
    return piece.startsWith('`') ? element('code', {}, [piece.slice(1, -1)]) : element('b', {}, [piece.slice(2, -2)])
  })
}

function diffBlock(diff) {
  return element('pre', { class: 'diff' }, diffLines(diff))
}

export function diffLines(diff) {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => element('span', { class: kindOf(line) }, [`${line}\n`]))
}

function kindOf(line) {
  if (/^(?:diff |index |\+\+\+ |--- |new file|deleted file|similarity |rename )/.test(line)) return 'head'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'add'
  return line.startsWith('-') ? 'del' : 'same'
}
