import { nameOf } from '../../state/names.ts'
import { showLater } from '../kit/dialogs.tsx'

/** Opens the cases of a member. */
export const showCases = (userId: number, serverId: number) =>
  showLater(async () => {
    const { MemberCases } = await import('./cases.tsx')
    const name = nameOf(userId)
    return () => <MemberCases user_id={userId} server_id={serverId} name={name} />
  })
