import { reasonOf } from '../../state/reason.ts'
import { state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { showNote } from '../kit/dialogs.tsx'
import type { MenuItem } from '../kit/menu.tsx'
import { askToKick, endTimeout, showBan, showTimeout, showWarning } from '../server/moderation.tsx'
import { showCases } from '../server/show-cases.tsx'

/** An entry that is left out unless the account may do it now. */
export type Entry = MenuItem | false | undefined

/** Runs a request; shows a note if the server refuses it. */
export const ask = (work: () => Promise<unknown>) => () => work().catch((error: unknown) => showNote(reasonOf(error)))

/** Moderation of a member with a lower position. */
export function moderationOf(userId: number, serverId: number): Entry[] {
  const member = state.members.get(serverId)?.get(userId)
  if (!member || state.highestPosition(serverId, userId) >= state.highestPosition(serverId, state.me())) return []
  return [
    state.may(serverId, 'moderate_members') && {
      name: 'cases',
      icon: 'flag',
      label: moderationWords.casesTab,
      run: () => showCases(userId, serverId),
    },
    state.may(serverId, 'moderate_members') && {
      name: 'warn',
      icon: 'flag',
      label: moderationWords.warn,
      isDangerous: true,
      run: () => showWarning(userId, serverId),
    },
    state.may(serverId, 'moderate_members') &&
      (member.timed_out_until === null
        ? {
            name: 'timeout',
            icon: 'micOff',
            label: dialogWords.timeouts.begin,
            isDangerous: true,
            run: () => showTimeout(userId, serverId),
          }
        : {
            name: 'end-timeout',
            icon: 'mic',
            label: dialogWords.timeouts.end,
            run: ask(() => endTimeout(userId, serverId)),
          }),
    state.may(serverId, 'kick_members') && {
      name: 'kick',
      icon: 'leave',
      label: dialogWords.bans.kick,
      isDangerous: true,
      run: () => askToKick(userId, serverId),
    },
    state.may(serverId, 'ban_members') && {
      name: 'ban',
      icon: 'lock',
      label: dialogWords.bans.ban,
      isDangerous: true,
      run: () => showBan(userId, serverId),
    },
  ]
}
