import * as ast from 'typescript/unstable/ast'
import type { Project, Symbol as Name } from 'typescript/unstable/sync'
import { namedStatement } from '../../server/src/db/named-statement.ts'
import type { Choices } from './choices.ts'

/** What a parameter of a function that is being followed stands for. */
type Argument = { node: ast.Node; reading: Reading } | { text: string | undefined }
export type Reading = {
  project: Project
  choices: Choices
  parameters?: ReadonlyMap<number, Argument>
  depth?: number
}

/** How many names and functions are followed, one from the other. */
const depthMax = 30

/**
 * The text of an expression that is put together of constants, of whatever module, and of functions of them; undefined
 * where it depends on more. Where it can be one of several, the one that `choices` picks. A list is taken as it is made, without
 * what is pushed to it.
 */
export function textOf(node: ast.Node, reading: Reading): string | undefined {
  if ((reading.depth ?? 0) > depthMax) return undefined
  if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ast.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => joined(textOf(span.expression, reading), span.literal.text))
    return joined(node.head.text, ...spans)
  }
  if (ast.isBinaryExpression(node) && node.operatorToken.kind === ast.SyntaxKind.PlusToken)
    return textOfType(node, reading) ?? joined(textOf(node.left, reading), textOf(node.right, reading))
  if (ast.isConditionalExpression(node))
    return textOf(isMet(node.condition, reading) ? node.whenTrue : node.whenFalse, reading)
  if (ast.isParenthesizedExpression(node) || ast.isAsExpression(node)) return textOf(node.expression, reading)
  if (ast.isObjectLiteralExpression(node)) return textOfProperty(node, reading)
  if (ast.isCallExpression(node)) return textOfJoin(node, reading) ?? textOfCall(node, reading)
  const meant = follow(node, reading)
  const text = meant && ('text' in meant ? meant.text : textOf(meant.node, meant.reading))
  return text ?? textOfType(node, reading)
}

const joined = (...parts: (string | undefined)[]) => (parts.includes(undefined) ? undefined : parts.join(''))

/** The same wherever the condition is the same, and what else depends on the value that it compares. */
function isMet(condition: ast.Expression, reading: Reading): boolean {
  if (ast.isBinaryExpression(condition) && condition.operatorToken.kind === ast.SyntaxKind.EqualsEqualsEqualsToken) {
    const [left, right] = [textOf(condition.left, reading), textOf(condition.right, reading)]
    if (left !== undefined && right !== undefined) return left === right
  }
  return reading.choices.pick(condition.getText(), 2) === 0
}

/** A statement with a name has its text beside it. */
function textOfProperty({ properties }: ast.ObjectLiteralExpression, reading: Reading): string | undefined {
  for (const property of properties) {
    if (ast.isPropertyAssignment(property) && property.name.getText() === 'text')
      return textOf(property.initializer, reading)
    if (ast.isShorthandPropertyAssignment(property) && property.name.getText() === 'text')
      return textOfShort(property, reading)
  }
  return undefined
}

function textOfShort(node: ast.ShorthandPropertyAssignment, reading: Reading): string | undefined {
  const { project } = reading
  const symbol = project.checker.getShorthandAssignmentValueSymbol(node)
  const constant = symbol && constantOf(symbol, project)
  return constant && textOf(constant, deeper(reading))
}

const deeper = (reading: Reading): Reading => ({ ...reading, depth: (reading.depth ?? 0) + 1 })

/** What a name stands for: an argument, or a constant or a property of one, of whatever module. */
function follow(node: ast.Node, reading: Reading): Argument | undefined {
  if (!ast.isIdentifier(node) && !ast.isPropertyAccessExpression(node)) return undefined
  const symbol = symbolOf(node, reading)
  const argument = symbol && reading.parameters?.get(symbol.id)
  const constant = symbol && !argument ? constantOf(symbol, reading.project) : undefined
  return argument ?? (constant && { node: constant, reading: deeper(reading) })
}

function symbolOf(node: ast.Node, { project: { checker } }: Reading): Name | undefined {
  const symbol = checker.getSymbolAtLocation(ast.isPropertyAccessExpression(node) ? node.name : node)
  const isImported = symbol?.declarations[0]?.kind === ast.SyntaxKind.ImportSpecifier
  return symbol && isImported ? checker.getAliasedSymbol(symbol) : symbol
}

function constantOf(symbol: Name, project: Project): ast.Node | undefined {
  const declared = symbol.valueDeclaration?.resolve(project)
  const isConstant = declared && ast.isVariableDeclaration(declared) && declared.parent.flags & ast.NodeFlags.Const
  return isConstant || (declared && ast.isPropertyAssignment(declared)) ? declared.initializer : undefined
}

/** What a function answers that is called with such arguments: its expression, or the one of several that is picked. */
function textOfCall(call: ast.CallExpression, reading: Reading): string | undefined {
  if (call.expression.getText() === 'namedStatement') {
    const text = call.arguments[1] && textOf(call.arguments[1], reading)
    return text === undefined ? undefined : namedStatement('', text).text
  }
  const symbol = symbolOf(call.expression, reading)
  const declared = symbol && (constantOf(symbol, reading.project) ?? symbol.valueDeclaration?.resolve(reading.project))
  if (!declared || !(ast.isArrowFunction(declared) || ast.isFunctionDeclaration(declared))) return undefined
  const parameters = new Map(reading.parameters)
  for (const [index, { name, initializer }] of declared.parameters.entries()) {
    const parameter = reading.project.checker.getSymbolAtLocation(name)
    const node = call.arguments[index] ?? initializer
    if (parameter && node) parameters.set(parameter.id, { node, reading })
  }
  const answers = declared.body ? answersOf(declared.body) : []
  const answer = answers[answers.length > 1 ? reading.choices.pick(call.expression.getText(), answers.length) : 0]
  return answer && textOf(answer, { ...deeper(reading), parameters })
}

function answersOf(body: ast.Node): ast.Node[] {
  if (!ast.isBlock(body)) return [body]
  const found: ast.Node[] = []
  const visit = (node: ast.Node): void => {
    if (ast.isReturnStatement(node) && node.expression) found.push(node.expression)
    else if (!ast.isArrowFunction(node)) node.forEachChild(visit)
  }
  visit(body)
  return found
}

/** `list.join(between)`. */
function textOfJoin({ expression, arguments: [between] }: ast.CallExpression, reading: Reading): string | undefined {
  if (!ast.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return undefined
  const items = itemsOf(expression.expression, reading)
  const text = between && textOf(between, reading)
  return text === undefined || !items || items.includes(undefined) ? undefined : items.join(text)
}

function itemsOf(node: ast.Node, reading: Reading): (string | undefined)[] | undefined {
  if (ast.isAsExpression(node)) return itemsOf(node.expression, reading)
  if (ast.isArrayLiteralExpression(node)) return node.elements.map((item) => textOf(item, reading))
  if (ast.isCallExpression(node)) return mappedItems(node, reading)
  const meant = follow(node, reading)
  return meant && 'node' in meant ? itemsOf(meant.node, meant.reading) : undefined
}

/** `list.map((item) => …)`. */
function mappedItems({ expression, arguments: [mapper] }: ast.CallExpression, reading: Reading) {
  if (!ast.isPropertyAccessExpression(expression) || expression.name.text !== 'map') return undefined
  if (!mapper || !ast.isArrowFunction(mapper) || !mapper.parameters[0]) return undefined
  const item = reading.project.checker.getSymbolAtLocation(mapper.parameters[0].name)
  const { body } = mapper
  return itemsOf(expression.expression, reading)?.map((text) => {
    const parameters = new Map(reading.parameters)
    if (item) parameters.set(item.id, { text })
    return textOf(body, { ...deeper(reading), parameters })
  })
}

/** Where only some texts are allowed, one of them. A number is as good as any other. */
function textOfType(node: ast.Node, { project, choices }: Reading): string | undefined {
  const type = project.checker.getTypeAtLocation(node)
  const options = type?.isUnionType() ? (type.getTypes() ?? []) : [type]
  const option = options.length > 1 ? options[choices.pick(node.getText(), options.length)] : options[0]
  if (option?.isStringLiteralType()) return option.value
  const isNumber = option?.isNumberLiteralType() || (option?.isIntrinsicType() && option.intrinsicName === 'number')
  return isNumber ? '1' : undefined
}
