import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What is typed for a value that is kept elsewhere, such as in the address: told once nothing was typed for a while. */
export function useTyped(
  value: string,
  { restMs, onRest }: { restMs: number; onRest: (text: string) => void },
): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  // What was told and has not come back yet, after what has.
  const reported = useRef([value])
  const rest = useEffectEvent(onRest)
  useEffect(() => {
    const at = reported.current.lastIndexOf(value)
    // It has changed by itself.
    if (at < 0) setText(value)
    reported.current = at < 0 ? [value] : reported.current.slice(at)
  }, [value])
  useEffect(() => {
    if (text === reported.current.at(-1)) return undefined
    const timer = setTimeout(() => {
      reported.current.push(text)
      rest(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return [text, setText]
}
