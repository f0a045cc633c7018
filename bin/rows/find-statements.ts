import { readFileSync } from 'node:fs'
import * as ast from 'typescript/unstable/ast'
import type { Project, Type } from 'typescript/unstable/sync'
import { Choices } from './choices.ts'
import { fieldsOf, type Fields } from './fields-of.ts'
import { textOf } from './text-of.ts'

/** A call of `rows`, `one` or `maybeOne`: all texts that its statement can be, or none where nobody can say. */
export type FoundStatement = { place: string; texts: string[]; fields: Fields | undefined }

const readers = new Set(['rows', 'one', 'maybeOne'])

/** How many texts of one statement are looked at. */
const textsMax = 64

/** The statements of these files whose rows have a type. */
export function findStatements(project: Project, files: string[]): FoundStatement[] {
  return files.flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    return /\b(?:rows|one|maybeOne)\b/.test(code) ? findIn(project, file) : []
  })
}

function findIn(project: Project, file: string): FoundStatement[] {
  const source = project.program.getSourceFile(file)
  if (!source) throw new Error(`${file} is no part of the project`)
  const found: FoundStatement[] = []
  const visit = (node: ast.Node): void => {
    if (ast.isCallExpression(node) && isReader(node.expression, project)) {
      const line = source.text.slice(0, node.getStart(source)).split('\n').length
      found.push({ place: `${file}:${line}`, texts: textsOf(node, project), fields: fieldsOfCall(node, project) })
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

function isReader(callee: ast.Node, { checker }: Project): boolean {
  if (!ast.isIdentifier(callee) || !readers.has(callee.text)) return false
  const symbol = checker.getSymbolAtLocation(callee)
  const isImported = symbol?.declarations[0]?.kind === ast.SyntaxKind.ImportSpecifier
  const declared = symbol && isImported ? checker.getAliasedSymbol(symbol).valueDeclaration : undefined
  return declared?.path.endsWith('/server/src/db/pool.ts') ?? false
}

/** No texts where one of them is unknown. */
function textsOf({ arguments: [, statement] }: ast.CallExpression, project: Project): string[] {
  const choices = new Choices()
  const texts = new Set<string>()
  do {
    const text = statement && textOf(statement, { project, choices })
    if (text === undefined || texts.size === textsMax) return []
    texts.add(text)
  } while (choices.next())
  return [...texts]
}

/** What a call answers is a promise of a row, or of several, or of one or none. */
function fieldsOfCall(call: ast.CallExpression, project: Project): Fields | undefined {
  const { checker } = project
  const promise = checker.getTypeAtLocation(call)
  const answer = promise?.isTypeReference() ? checker.getTypeArguments(promise)[0] : undefined
  if (!answer) throw new Error(`what is answered by ${call.getText()}?`)
  const present = checker.getNonNullableType(answer) ?? answer
  const isList = checker.isArrayType(present) && present.isTypeReference()
  return fieldsOf((isList ? checker.getTypeArguments(present)[0] : present) as Type, project)
}
