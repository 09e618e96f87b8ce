import { isHuman } from '../../state/names.ts'
import { reasonOf } from '../../state/reason.ts'
import { state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { showNote } from '../kit/dialogs.tsx'
import type { MenuItem } from '../kit/menu.tsx'
import {
  askToKick,
  askToQuarantine,
  endTimeout,
  letIn,
  showBan,
  showTimeout,
  showWarning,
} from '../server/moderation.tsx'
import { showCases } from '../server/show-cases.tsx'

/** An entry that is left out unless the account may do it now. */
export type Entry = MenuItem | false | undefined

/** Runs a request; shows a note if the server refuses it. */
export const ask = (work: () => Promise<unknown>) => () => work().catch((error: unknown) => showNote(reasonOf(error)))

/** Moderation of a member with a lower position. */
export function moderationOf(target: { user_id: number; server_id: number }): Entry[] {
  const { user_id, server_id } = target
  const member = state.members.get(server_id)?.get(user_id)
  if (!member || state.highestPosition(server_id, user_id) >= state.highestPosition(server_id, state.me())) return []
  return [
    state.may(server_id, 'moderate_members') && {
      name: 'cases',
      icon: 'flag',
      label: moderationWords.casesTab,
      run: () => showCases(user_id, server_id),
    },
    state.may(server_id, 'moderate_members') && {
      name: 'warn',
      icon: 'flag',
      label: moderationWords.warn,
      isDangerous: true,
      run: () => showWarning(user_id, server_id),
    },
    state.may(server_id, 'moderate_members') &&
      (member.timed_out_until === null
        ? {
            name: 'timeout',
            icon: 'micOff',
            label: dialogWords.timeouts.begin,
            isDangerous: true,
            run: () => showTimeout(user_id, server_id),
          }
        : {
            name: 'end-timeout',
            icon: 'mic',
            label: dialogWords.timeouts.end,
            run: ask(() => endTimeout(user_id, server_id)),
          }),
    state.may(server_id, 'moderate_members') &&
      isHuman(user_id) &&
      (member.held_back == null
        ? {
            name: 'quarantine',
            icon: 'hide',
            label: dialogWords.quarantine.begin,
            isDangerous: true,
            run: () => askToQuarantine(user_id, server_id),
          }
        : {
            name: 'end-quarantine',
            icon: 'check',
            label: dialogWords.quarantine.end,
            run: ask(() => letIn(user_id, server_id)),
          }),
    state.may(server_id, 'kick_members') && {
      name: 'kick',
      icon: 'leave',
      label: dialogWords.bans.kick,
      isDangerous: true,
      run: () => askToKick(user_id, server_id),
    },
    state.may(server_id, 'ban_members') && {
      name: 'ban',
      icon: 'lock',
      label: dialogWords.bans.ban,
      isDangerous: true,
      run: () => showBan(user_id, server_id),
    },
  ]
}
