import { useEffect } from 'preact/hooks'
import { isLarge } from '../../state/member-lists.ts'
import { state } from '../../state/session.ts'

/** Pause after which a typed name is looked up, ms. */
const PAUSE_MS = 250
/** Lookups that are not repeated. */
const ASKED_MAX = 100
const asked = new Set<string>()

/** Looks up members whose names contain the text: of a large server, the page knows only some. */
export function useMemberSearch(server_id: number | null | undefined, text: string | undefined): void {
  const query = text?.trim() ?? ''
  useEffect(() => {
    const key = `${server_id} ${query}`
    if (!server_id || query === '' || !isLarge(state, server_id) || asked.has(key)) return
    const timer = setTimeout(() => {
      if (asked.size >= ASKED_MAX) asked.clear()
      asked.add(key)
      void import('../../state/large-servers.ts')
        .then(({ searchMembers }) => searchMembers(server_id, query))
        .catch(() => asked.delete(key))
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [server_id, query])
}
