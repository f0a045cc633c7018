/** The key under which a turn's answer is stored, before its work is delivered. */
export const answerKey = (turn: number) => `t${turn}/answer`
