import type { ReactElement } from 'react'

const rows = 15
const rowHeight = 48

/** Runs as they might have been, each from the same numbers every time. */
export function SignInArt(): ReactElement {
  return (
    <svg className="sign-art" viewBox={`0 0 640 ${rows * rowHeight + 32}`} preserveAspectRatio="xMinYMid slice">
      {Array.from({ length: rows }, (_, row) => (
        <g key={row} transform={`translate(0 ${row * rowHeight + 40})`}>
          {piecesOf(row)}
        </g>
      ))}
    </svg>
  )
}

function piecesOf(row: number): ReactElement[] {
  let seed = row * 7_919 + 104_729
  const generate = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const pieces: ReactElement[] = []
  let x = generate(6) * 24
  pieces.push(<path key="queue" className="thin" d={`M${x} 0h20`} />)
  x += 24
  while (x < 660) {
    const [kind, width] = [generate(8), (1 + generate(4)) * 24 - 4]
    if (kind === 0) pieces.push(<path key={x} className="dots" d={`M${x} 0h${width}`} />)
    else if (kind < 4) pieces.push(<rect key={x} className="p1" x={x} y={-4} width={width} height={8} />)
    else if (kind < 7) pieces.push(<rect key={x} className="p2" x={x} y={-9} width={width} height={18} />)
    else pieces.push(<rect key={x} className="p3" x={x} y={-6} width={width} height={12} />)
    x += width + 4
    if (x > 420 && generate(5) === 0) {
      pieces.push(<path key="end" className="end" d={`M${x} -10v20`} />)
      break
    }
  }
  return pieces
}
