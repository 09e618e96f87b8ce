/** The browser and system that a user agent names, such as `Firefox · Linux`; undefined when it names neither. */
export function deviceOf(userAgent: string | null): string | undefined {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|Bun)/.exec(userAgent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent ?? '')?.[1]
  const name = [browser?.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(' · ')
  return name === '' ? undefined : name
}
