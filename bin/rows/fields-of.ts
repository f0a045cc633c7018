import type { Project, Type } from 'typescript/unstable/sync'

/** What a field may be: `string`, `null`, `Date`, `number[]`, …; `unknown` is anything. */
export type Field = { kinds: Set<string>; hasDates: boolean }
export type Fields = Map<string, Field>

/** The fields of a row's type; undefined for one that says nothing of them. */
export function fieldsOf(row: Type, project: Project): Fields | undefined {
  const { checker } = project
  if (row.isIntrinsicType() || row.isTypeParameter()) return undefined
  return new Map(
    checker.getPropertiesOfType(row).map((property) => {
      const type = checker.getTypeOfSymbol(property)
      if (!type) throw new Error(`of what type is ${property.name}?`)
      const kinds = new Set(membersOf(type).map((one) => kindOf(one, project)))
      return [property.name, { kinds, hasDates: hasDates(type, project) }]
    }),
  )
}

const membersOf = (type: Type): readonly Type[] => (type.isUnionType() ? (type.getTypes() ?? []) : [type])

function kindOf(type: Type, project: Project, isItem = false): string {
  if (type.isStringLiteralType() || type.isTemplateLiteralType()) return 'string'
  if (type.isNumberLiteralType()) return 'number'
  if (type.isBooleanLiteralType()) return 'boolean'
  if (type.isIntrinsicType()) return type.intrinsicName === 'any' ? 'unknown' : type.intrinsicName
  const { checker } = project
  if (isItem && checker.isArrayLikeType(type)) return 'object'
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [item] = checker.getTypeArguments(type)
    const kinds = new Set(item ? membersOf(item).map((one) => kindOf(one, project, true)) : [])
    kinds.delete('null')
    return kinds.size === 1 ? `${[...kinds][0]}[]` : 'object[]'
  }
  const name = type.getSymbol()?.name
  return name === 'Date' || name === 'Buffer' ? name : 'object'
}

/** Whether there is a date anywhere inside. */
function hasDates(type: Type, project: Project, depth = 0): boolean {
  if (depth > 4) return false
  return membersOf(type).some((one) => {
    if (one.getSymbol()?.name === 'Date') return true
    if (!one.isObjectType() && !one.isIntersectionType()) return false
    const { checker } = project
    if (checker.isArrayType(one) && one.isTypeReference())
      return checker.getTypeArguments(one).some((item) => hasDates(item, project, depth + 1))
    if (checker.isArrayLikeType(one) || one.getSymbol()?.name === 'Buffer') return false
    return checker.getPropertiesOfType(one).some((property) => {
      const inner = checker.getTypeOfSymbol(property)
      return inner ? hasDates(inner, project, depth + 1) : false
    })
  })
}
