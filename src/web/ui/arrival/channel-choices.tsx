import { isListed } from '../../state/arrival.ts'
import { useState } from 'preact/hooks'
import { expectSetting } from '../../state/expected.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { channelPath } from '../../state/route.ts'
import { call, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { closeDialogs } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const ICONS: Partial<Record<ServerChannel['type'], 'voice' | 'stage' | 'message'>> = {
  voice: 'voice',
  stage: 'stage',
  forum: 'message',
}

/** The channels of a server that members choose, in the order of the list. */
export const choosableIn = (server_id: number): ServerChannel[] =>
  state.channelsOf(server_id).filter((channel) => channel.opt_in_since !== null)

/** Browse channels: each can be shown in the list, and looked at without that. */
export const ChannelChoices = ({ server_id }: { server_id: number }) => {
  const { attempt, error } = useAttempt()
  const [pending, setPending] = useState<number>()
  const toggle = async (channel_id: number, listed: boolean) => {
    setPending(channel_id)
    await attempt(() =>
      expectSetting({ server_id, channel_id }, { listed }, () =>
        call('PUT /api/notifications/channels/:channel_id', { channel_id }, { listed }),
      ),
    )
    setPending(undefined)
  }
  return (
    <>
      <ul class="table browse">
        {choosableIn(server_id).map((channel) => (
          <li key={channel.id} class="row">
            <label class="check">
              <input
                type="checkbox"
                checked={isListed(state, channel.id)}
                disabled={pending === channel.id}
                onChange={() => void toggle(channel.id, !isListed(state, channel.id))}
              />
              <span>
                <Icon name={ICONS[channel.type] ?? 'hash'} size={16} /> <bdi>{withoutBidi(channel.name)}</bdi>
                {channel.topic ? <small dir="auto">{withoutBidi(channel.topic)}</small> : null}
              </span>
            </label>
            <a
              href={channelPath(server_id, channel.id)}
              aria-label={arrivalWords.look(titleOf(channel))}
              title={arrivalWords.look(titleOf(channel))}
              onClick={closeDialogs}
            >
              <Icon name="next" size={18} />
            </a>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
    </>
  )
}
