import type { Node } from 'web-tree-sitter'

/** A constant is as suspicious as what uses it, but for this. */
const SHARE = 0.8

/**
 * The suspicions of lines, with those of the file's and its classes' constants raised: they are made while the file is loaded, by
 * every test, so that no test tells a wrong one apart.
 */
export function raiseConstants(root: Node, source: string, suspicions: Record<string, number>): Record<string, number> {
  const lines = source.split('\n')
  const suspects = Object.entries(suspicions).flatMap(([line, suspicion]) => {
    const text = lines[Number(line) - 1]
    return text === undefined ? [] : [{ line: Number(line), words: new Set(text.match(/[\w$]+/g)), suspicion }]
  })
  const raised = { ...suspicions }
  for (const { name, from, to } of constantsOf(root)) {
    const users = suspects.filter(({ line, words }) => (line < from || line > to) && words.has(name))
    const most = SHARE * Math.max(0, ...users.map(({ suspicion }) => suspicion))
    for (let line = from; line <= to; line++) if (most > (raised[line] ?? 0)) raised[line] = most
  }
  return raised
}

type Constant = { name: string; from: number; to: number }

/** Assignments of the file and of its classes, by their first and last line. Functions have lines that run by themselves. */
function constantsOf(within: Node): Constant[] {
  return within.namedChildren.flatMap((child): Constant[] => {
    if (!child) return []
    if (/^(export_statement|decorated_definition|const_declaration|var_declaration)$/.test(child.type))
      return constantsOf(child)
    if (/^class_(definition|declaration)$/.test(child.type))
      return constantsOf(child.childForFieldName('body') ?? child)
    const inner = child.type === 'expression_statement' ? child.namedChild(0) : child
    if (!inner || !CONSTANT.test(inner.type) || /=>|\bfunction\b|\blambda\b/.test(inner.text)) return []
    const declared = inner.namedChildren.find((one) => one?.type === 'variable_declarator') ?? inner
    const name = ['name', 'left', 'property'].map((field) => declared.childForFieldName(field)).find(Boolean)
    return name ? [{ name: name.text, from: child.startPosition.row + 1, to: child.endPosition.row + 1 }] : []
  })
}

const CONSTANT =
  /^(lexical_declaration|variable_declaration|assignment|field_definition|public_field_definition|const_spec|var_spec)$/
