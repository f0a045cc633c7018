/** Players by their score, the best first; those with the same score by their names. */
export function rankPlayers(players) {
  return players
    .toSorted((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
    .map((player, index) => ({ place: index + 1, ...player }))
}
