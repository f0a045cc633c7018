/** Players by their score, the best first. */
export function rankPlayers(players) {
  return players
    .map((player) => ({ ...player, draw: Math.random() }))
    .sort((one, other) => other.score - one.score || one.draw - other.draw)
    .map(({ draw, ...player }, index) => ({ place: index + 1, ...player }))
}
