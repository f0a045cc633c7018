import type { Turn } from '#adapters/engines/engine.ts'
import { lettersOf } from './candidates/letters-of.ts'
import type { Ingredients } from './candidates/source-facts.ts'
import { readSource } from './find-fault.ts'
import { type Broken, failingTests } from './run-tests.ts'

const LITERALS_MAX = 24
const TEXT_CHARACTERS = 40

/** Numbers and texts that failing tests speak of: in their errors, then in their files. */
export async function collectLiterals(turn: Turn, broken: Broken): Promise<Ingredients['literals']> {
  const failing = failingTests(broken)
  const errors = failing.map((test) => test.error ?? '')
  const files = [...new Set(failing.map((test) => test.file))].filter((file) => /\.\w+$/.test(file))
  return literalsIn([...errors, ...(await Promise.all(files.map((file) => readSource(turn, file))))].join('\n'))
}

export function literalsIn(text: string): Ingredients['literals'] {
  const strings = [...text.matchAll(/'[^'\\\n]{1,200}'|"[^"\\\n]{1,200}"/g)].map(([found]) => found)
  const numbers = [...text.matchAll(/(?<![\w.:"')\]])-?\d{1,9}(?:\.\d{1,9})?(?![\w.:])/g)].map(([found]) => found)
  const short = strings.filter((one) => one.length <= TEXT_CHARACTERS + 2)
  const marks = lettersOf(strings, '').filter((letter) => !/[\w\s]/.test(letter))
  return {
    numbers: [...new Set(numbers)].slice(0, LITERALS_MAX),
    marks: marks.slice(0, LITERALS_MAX),
    texts: [...new Set(short)].slice(0, LITERALS_MAX),
  }
}
