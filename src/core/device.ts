/** The browser and system that a user agent names, such as `Firefox · Linux`; undefined when it names neither. */
export function deviceOf(user_agent: string | null): string | undefined {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|Bun)/.exec(user_agent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(user_agent ?? '')?.[1]
  const named = [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(' · ')
  return named === '' ? undefined : named
}
