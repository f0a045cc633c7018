/** What a candidate changes, in words for people, and how often such a change is the right one, from 0 to 1. */
export const kinds = {
  comparison: [1, 'a comparison'],
  off_by_one_bound: [0.85, 'an off-by-one'],
  off_by_one: [0.45, 'an off-by-one'],
  constant: [0.7, 'a constant'],
  wrong_name: [0.75, 'a wrong variable'],
  arithmetic: [0.85, 'an arithmetic operator'],
  assignment: [0.75, 'an assignment operator'],
  boolean: [0.8, 'a boolean operator'],
  presence: [0.6, 'a value that is there, but empty'],
  negation: [0.7, 'a negation'],
  api_pair: [0.8, 'a method mixed up with its opposite'],
  swapped_arguments: [0.75, 'swapped arguments'],
  swapped_operands: [0.6, 'swapped operands'],
  dropped_operand: [0.55, 'an operand too many'],
  attribute: [0.65, 'a wrong attribute'],
  changed_value: [0.7, 'a value that has changed since'],
  wrong_target: [0.35, 'a value that is stored in the wrong place'],
  wrong_function: [0.4, 'a wrong function'],
  unwrapped_call: [0.5, 'a call too many'],
  swapped_calls: [0.5, 'calls in the wrong order'],
  swapped_statements: [0.5, 'statements in the wrong order'],
  slice: [0.5, 'a slice'],
  text: [0.35, 'a text'],
  text_difference: [0.85, 'a text'],
  missing_element: [0.4, 'a missing element'],
  dropped_element: [0.35, 'an element too many'],
  type_check: [0.42, 'a missing check of a type'],
  wider_class: [0.5, 'a class that is not asked for'],
  near_condition: [0.55, 'a condition that is too loose or too strict'],
  part_asked: [0.4, 'a condition that does not look at everything'],
  caught: [0.6, 'an exception that is not caught'],
  condition_weakened: [0.42, 'a condition that is too strict'],
  condition_strengthened: [0.42, 'a condition that is too loose'],
  condition_replaced: [0.3, 'a wrong condition'],
  condition_constant: [0.1, 'a condition'],
  combined: [0.3, 'a missing term'],
  bounded: [0.25, 'a missing bound'],
  converted: [0.35, 'a missing conversion'],
  spread: [0.45, 'a list of one thing, in place of what is in it'],
  copied: [0.4, 'a missing copy'],
  argument: [0.5, 'a missing argument'],
  defaulted: [0.38, 'a missing default'],
  never_updated: [0.8, 'a variable that is never updated'],
  remainder: [0.85, 'a remainder that may be negative'],
  missing_else: [0.45, 'a missing else'],
  unlike: [0.85, 'a value that is treated otherwise than the one beside it'],
  lost_value: [0.45, 'a value that is lost when it changes'],
  reset: [0.35, 'a value that does not begin anew'],
  taken_back: [0.7, 'what is put in and never taken out'],
  last_part: [0.55, 'a part that is left when a loop ends'],
  iterated_copy: [0.6, 'a list that changes while it is gone through'],
  late_binding: [0.9, 'a function that reads a variable of a loop when the loop is over'],
  shared_list: [0.85, 'a list that is shared by mistake'],
  guard: [0.25, 'a missing guard'],
  inserted: [0.28, 'a missing statement'],
  deleted: [0.12, 'a statement too many'],
  ingredient: [0.25, 'a wrong expression'],
  literal: [0.3, 'a literal'],
  part: [0.4, 'a part of a value'],
  missing_call: [0.6, 'a missing call'],
  loop: [0.5, 'a loop that runs once, or a condition that loops'],
  synthesized: [0.2, 'a wrong expression'],
  donor: [0.18, 'a wrong expression'],
  two_changes: [0.8, 'two changes'],
  three_changes: [0.7, 'three changes'],
  await: [0.9, 'a missing await'],
  return: [0.85, 'a missing return'],
  nullish: [0.85, 'a fallback'],
  equality: [0.8, 'an equality'],
  comparator: [0.9, 'a sort comparator'],
  arrow: [0.8, 'a missing arrow'],
  block_scope: [0.7, "a variable's scope"],
  optional_chain: [0.45, 'a missing optional chain'],
  regular_expression: [0.6, 'a regular expression'],
  early_return: [0.95, 'a return that comes too early'],
  mutable_default: [0.9, 'a mutable default'],
  missing_self: [0.7, 'a missing self'],
  indentation: [0.65, 'a statement at the wrong depth'],
} as const satisfies Record<string, readonly [number, string]>

export type Kind = keyof typeof kinds

const silencing = new Set<Kind>(['condition_constant', 'deleted'])

/** Whether it only takes something out of the way: such a change comes after all others, however well the tests like it. */
export function isSilencing(kind: Kind): boolean {
  return silencing.has(kind)
}

const several = new Set<Kind>(['two_changes', 'three_changes'])

/** Whether it is made of edits none of which is enough alone: of so many pairs, some please any test. */
export function isOfSeveral(kind: Kind): boolean {
  return several.has(kind)
}

const LIKELY_PRIOR = 0.5

/** Whether people make such a mistake often enough that a change of this kind is a good guess by itself. */
export function isLikely({ prior }: { prior: number }): boolean {
  return prior >= LIKELY_PRIOR
}
