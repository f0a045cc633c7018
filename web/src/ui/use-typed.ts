import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What is typed for a value that is kept elsewhere, such as in the address: told once nothing was typed for a while. */
export function useTyped(
  value: string,
  { restMs, onRest }: { restMs: number; onRest: (text: string) => void },
): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  // What was told and has not come back yet, after what has.
  const report = useRef([value])
  const rest = useEffectEvent(onRest)
  useEffect(() => {
    const at = report.current.lastIndexOf(value)
    // It has changed by itself.
    if (at < 0) setText(value)
    report.current = at < 0 ? [value] : report.current.slice(at)
  }, [value])
  useEffect(() => {
    if (text === report.current.at(-1)) return undefined
    const timer = setTimeout(() => {
      report.current.push(text)
      rest(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return [text, setText]
}
