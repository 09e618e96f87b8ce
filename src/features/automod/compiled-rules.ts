import type { Rule, Trigger } from './model.ts'
import { type JudgedRule, RuleSet } from './rule-set.ts'

/** A rule that counts messages. */
export interface SpamRule {
  rule: Rule
  trigger: Extract<Trigger, { type: 'spam' }>
}

/** The enabled rules of a server, ready to judge. */
export interface CompiledRules {
  /** Judges messages, and names of threads and files. */
  texts: RuleSet
  /** Judges names of members. */
  names: RuleSet
  spam: SpamRule[]
  /** The number of rules, and of what memory is proportional to. */
  count: number
  size: number
}

/**
 * @param pause called between slices of the work
 * @param onStuck called after a search for patterns that took far too long
 */
export async function compileRules(
  rules: Rule[],
  pause: () => Promise<void>,
  onStuck?: () => void,
): Promise<CompiledRules> {
  const [ofTexts, ofNames, spam]: [JudgedRule[], JudgedRule[], SpamRule[]] = [[], [], []]
  for (const rule of rules) {
    const { trigger } = rule
    if (trigger.type === 'spam') spam.push({ rule, trigger })
    else if (trigger.type === 'profile') {
      const { words, allow, patterns } = trigger
      if (words.length > 0) ofNames.push({ rule, trigger: { type: 'words', words, allow } })
      if (patterns.length > 0) ofNames.push({ rule, trigger: { type: 'patterns', patterns } })
    } else ofTexts.push({ rule, trigger })
  }
  const [texts, names] = [await RuleSet.of(ofTexts, pause, onStuck), await RuleSet.of(ofNames, pause, onStuck)]
  return { texts, names, spam, count: rules.length, size: texts.size + names.size + spam.length }
}
