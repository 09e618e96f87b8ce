import type { RuleSet } from './rule-set.ts'
import type { TestMatch } from './model.ts'

/**
 * The rules that a text breaks, each with the first words of the text that break it. Folding changes lengths, so the
 * place is found by judging parts of the text: halves of its words, from each end.
 */
export function matchesIn(rules: RuleSet, content: string): TestMatch[] {
  const spans = [...content.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
  return rules.judge([content]).map(({ rule, found }) => {
    const breaks = (from: number, to: number) => {
      const [first, last] = [spans[from], spans[to - 1]]
      if (!first || !last) return false
      return rules.judge([content.slice(first.start, last.end)]).some((hit) => hit.rule.id === rule.id)
    }
    const to = firstTrue(1, spans.length, (end) => breaks(0, end))
    const from = to - firstTrue(1, to, (length) => breaks(to - length, to))
    const [start, end] = [spans[from]?.start ?? 0, spans[to - 1]?.end ?? content.length]
    return { rule_id: rule.id, name: rule.name, found, start, end }
  })
}

/** Binary search: the least number from `low` for which `holds` is true, or `high`. Assumes that it stays true. */
function firstTrue(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, Math.max(low, high)]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
