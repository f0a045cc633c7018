import type { Node } from 'web-tree-sitter'
import type { Add, Operator } from './operator-edits.ts'
import type { SourceFacts } from './source-facts.ts'

/** Mistakes that only Go allows. */
export const goEdits: Operator[] = [assignOuter, editSlice, leaveLoop, copyElement]

/** `x := f()` in a block makes another `x` than the one around it. */
function assignOuter(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.type !== 'short_var_declaration') return
  const sign = node.children.find((child) => child.type === ':=')
  if (sign) add('block_scope', sign.startIndex, sign.endIndex, '=')
}

/** The two ends of a slice, one off and left out. */
function editSlice(node: Node, facts: SourceFacts, add: Add): void {
  if (node.type !== 'slice_expression' || node.childForFieldName('capacity')) return
  const operand = node.childForFieldName('operand')
  if (!operand) return
  const [from = '', to = ''] = ['start', 'end'].map((field) => node.childForFieldName(field)?.text)
  const put = (first: string, second: string) => add('slice', operand.endIndex, node.endIndex, `[${first}:${second}]`)
  put('', to)
  put(from, '')
  put(to, from)
  for (const name of ['1', `len(${operand.text})`, `len(${operand.text})-1`, ...facts.namesAt(node)]) {
    put(name, to)
    put(from, name)
    if (from) put(from, `${from}+${name}`)
  }
}

function leaveLoop(node: Node, _facts: SourceFacts, add: Add): void {
  if (node.namedChildCount) return
  if (node.type === 'break_statement') add('loop', node.startIndex, node.endIndex, 'continue')
  if (node.type === 'continue_statement') add('loop', node.startIndex, node.endIndex, 'break')
}

/** What `for _, one := range list` gives is a copy: what is set in it is lost. */
function copyElement(node: Node, _facts: SourceFacts, add: Add): void {
  const clause = node.type === 'for_statement' ? node.namedChild(0) : null
  const [index, element] = clause?.childForFieldName('left')?.namedChildren ?? []
  const list = clause?.childForFieldName('right')
  if (clause?.type !== 'range_clause' || !index || !element || !list) return
  const name = index.text === '_' ? 'i' : index.text
  const body = node.childForFieldName('body')
  if (!body || element.text === '_') return
  const inside = body.text.replace(/\w+/g, (word) => (word === element.text ? `${list.text}[${name}]` : word))
  add('iterated_copy', clause.startIndex, body.endIndex, `${name} := range ${list.text} ${inside}`)
}
