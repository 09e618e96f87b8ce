import type { Rule } from './model.ts'

/** Words that an entry of the audit log names; further ones are counted. */
const NAMED_MAX = 50

/** The list without what the other one has too, cut. */
const onlyIn = (list: string[], other: string[]): string[] => {
  const rest = list.filter((word) => !other.includes(word))
  return rest.length > NAMED_MAX ? [...rest.slice(0, NAMED_MAX), `+${rest.length - NAMED_MAX}`] : rest
}

const listsOf = ({ trigger }: Rule): Record<string, string[]> =>
  Object.fromEntries(Object.entries(trigger).filter((pair): pair is [string, string[]] => Array.isArray(pair[1])))

/**
 * The states of a rule for the audit log: of long lists only what was added and removed, because an entry is shorter
 * than a rule may be.
 */
export function changesOf(before: Rule | undefined, after: Rule | undefined): [object | null, object | null] {
  const stateOf = (rule: Rule | undefined, other: Rule | undefined) => {
    if (!rule) return null
    const { trigger, actions, ...fields } = rule
    const otherLists = other ? listsOf(other) : {}
    const lists = Object.entries(listsOf(rule)).map(([name, list]) => [name, onlyIn(list, otherLists[name] ?? [])])
    const rest = Object.entries(trigger).filter(([, value]) => !Array.isArray(value))
    const details = actions.flatMap((action) => Object.entries(action).filter(([name]) => name !== 'type'))
    const whatHappens = { actions: actions.map(({ type }) => type), ...Object.fromEntries(details) }
    return { ...fields, ...whatHappens, ...Object.fromEntries(rest), ...Object.fromEntries(lists) }
  }
  return [stateOf(before, after), stateOf(after, before)]
}
