/** The key of an address for limits: IPv4 unchanged, IPv6 as its /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? []
  const leftGroups = head.split(':').filter(Boolean)
  const rightGroups = tail.split(':').filter(Boolean)
  const groups = ip.includes('::')
    ? [...leftGroups, ...Array(Math.max(0, 8 - leftGroups.length - rightGroups.length)).fill('0'), ...rightGroups]
    : leftGroups
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
