/** What goes on from one file to the next: the first has the name itself, the others have numbers that sort behind it. */
export function pieceName(name: string, piece: number): string {
  return piece === 1 ? name : `${name}.${String(piece).padStart(5, '0')}`
}
