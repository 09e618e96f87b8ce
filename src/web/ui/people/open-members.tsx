import { Later } from '../kit/later.tsx'
import { membersBesideCall, membersShown, useBack } from '../kit/pane.tsx'

/** The members of a server or group, next to its messages. The list's code is loaded when it is first shown. */
export const Members = ({ of, id }: { of: 'server' | 'group'; id: number }) => {
  useBack(() => (membersShown.value = membersBesideCall.value = false))
  return (
    <Later
      load={async () => {
        const { GroupMembers, ServerMembers } = await import('./members.tsx')
        return () => (of === 'server' ? <ServerMembers server_id={id} /> : <GroupMembers channel_id={id} />)
      }}
      meanwhile={<aside class="members" />}
    />
  )
}
