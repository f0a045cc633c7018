// Tests and suites that are made row by row of a table, named as jest and vitest name them.
'use strict'
const { format, inspect } = require('node:util')

const PLACEHOLDER = /%[sdifjoOp]/g

/** Gives what makes a test or a suite `each` and `for`. `bind` is the project's own package jest-each; without it, names are as vitest's.
 * `isQuoted`: whether a text stands in quotation marks in them. */
function addEach(make, { bind, isSuite, isQuoted }) {
  const collect = (name, fn, options) => make(name, ...(typeof options === 'object' && options ? [options] : []), fn)
  make.each = bind ? bind((name, fn) => collect(name, fn), !isSuite) : eachOf(collect, { isQuoted })
  // Of vitest: the row is one value, also where it is a list.
  make.for = eachOf(collect, { isQuoted, isWhole: true })
}

function eachOf(collect, { isQuoted = false, isWhole = false }) {
  return (table, ...values) => {
    const rows = isTemplate(table) ? rowsOf(table, values) : table
    return (title, second, third) => {
      const [fn, options] = typeof second === 'function' ? [second, third] : [third, second]
      rows.forEach((row, at) => {
        const items = Array.isArray(row) ? row : [row]
        const name = nameOf(String(title), { items, at, isQuoted })
        collect(name, () => (isWhole ? fn(row, {}) : fn(...items)), options)
      })
    }
  }
}

function isTemplate(table) {
  return Array.isArray(table) && Array.isArray(table.raw)
}

/** a | b
 *  ${1} | ${2} */
function rowsOf(strings, values) {
  const headings = strings[0].split('|').map((heading) => heading.trim())
  const rows = []
  for (let at = 0; at < values.length; at += headings.length) {
    rows.push(Object.fromEntries(headings.map((heading, column) => [heading, values[at + column]])))
  }
  return rows
}

function nameOf(title, { items, at, isQuoted }) {
  const count = (title.match(PLACEHOLDER) ?? []).length
  const numbered = title
    .replaceAll('%#', String(at))
    .replaceAll('%$', String(at + 1))
    .replaceAll('%p', '%s')
  const written = format(numbered, ...items.slice(0, count))
  const [first] = items
  if (typeof first !== 'object' || first === null) return written
  return written.replaceAll(/\$([\w$.]+)/g, (whole, key) => {
    const value = key.split('.').reduce((inner, part) => inner?.[part], first)
    if (value === undefined) return key in first ? 'undefined' : whole
    if (typeof value !== 'string') return inspect(value)
    return isQuoted ? `'${value}'` : value
  })
}

module.exports = { addEach }
