import type { Server } from '../../../features/access/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { go } from '../../state/route.ts'
import { call, expectGone } from '../../state/session.ts'
import { menuWords } from '../../words/menus.ts'
import { askToConfirm } from '../kit/ask.tsx'

/** Leaves a server after a confirmation. */
export const askToLeaveServer = (server: Server): Promise<void> =>
  askToConfirm({
    title: menuWords.leaveServer,
    text: menuWords.leaveServerText(withoutBidi(server.name)),
    action: menuWords.leaveServer,
    work: async () => {
      expectGone(server.id)
      await call('DELETE /api/servers/:server_id/members/@me', { server_id: server.id })
      go('/app')
    },
  })
