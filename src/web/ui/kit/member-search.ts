import { useEffect } from 'preact/hooks'
import { isLarge } from '../../state/member-lists.ts'
import { state } from '../../state/session.ts'

/** Pause after which a typed name is looked up, ms. */
const PAUSE_MS = 250
/** Lookups that are not repeated. */
const ASKED_MAX = 100
const askedKeys = new Set<string>()

/** Looks up members whose names contain the text: of a large server, the page knows only some. */
export function useMemberSearch(serverId: number | null | undefined, text: string | undefined): void {
  const query = text?.trim() ?? ''
  useEffect(() => {
    const key = `${serverId} ${query}`
    if (!serverId || query === '' || !isLarge(state, serverId) || askedKeys.has(key)) return
    const timer = setTimeout(() => {
      if (askedKeys.size >= ASKED_MAX) askedKeys.clear()
      askedKeys.add(key)
      void import('../../state/large-servers.ts')
        .then(({ searchMembers }) => searchMembers(serverId, query))
        .catch(() => askedKeys.delete(key))
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [serverId, query])
}
