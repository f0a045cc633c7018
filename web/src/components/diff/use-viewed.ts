import { useState } from 'react'
import type { DiffFile } from '#ui/read-diff.ts'

/** Older marks are forgotten. */
const marksMax = 500

export type Viewed = { has: (file: DiffFile) => boolean; toggle: (file: DiffFile) => void }

/** Which files somebody has viewed, kept in this browser. A file that has changed since counts as not viewed. */
export function useViewed(scope: string): Viewed {
  const key = `viewed ${scope}`
  const [marks, setMarks] = useState(() => read(key))
  return {
    has: (file) => marks.includes(markOf(file)),
    toggle: (file) => {
      const mark = markOf(file)
      const next = marks.includes(mark) ? marks.filter((one) => one !== mark) : [...marks, mark].slice(-marksMax)
      setMarks(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // A browser that stores nothing keeps the marks as long as the page is open.
      }
    },
  }
}

function read(key: string): string[] {
  try {
    const marks: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(marks) ? marks.map(String) : []
  } catch {
    return []
  }
}

/** Its path, and a number that is another one when its change is. */
function markOf({ path, hunks }: DiffFile): string {
  let sum = 0
  for (const { lines } of hunks) {
    for (const { sign, text } of lines) {
      for (let n = 0; n < text.length; n++) sum = (Math.imul(sum, 31) + text.charCodeAt(n)) | 0
      sum = (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0
    }
  }
  return `${path} ${sum}`
}
