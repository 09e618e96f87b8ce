import { useEffect, useState } from 'preact/hooks'
import type { VoiceState } from '../../../voice/model.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { stageWords } from '../../words/stages.ts'
import { Avatar, IconButton } from '../kit/controls.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { moderatesStage } from './stage-head.tsx'

/** Listeners that are named; of the others, only the number is shown. */
const NAMED_MAX = 50
/** The names are requested anew at most this often while the number changes. */
const RENEW_MS = 10_000

let askedAt = 0

/** The first listeners of a stage by name. No event names them, so they are requested while they are on the page. */
export const StageAudience = ({ channel, count }: { channel: ServerChannel; count: number }) => {
  follow('voices', 'members', 'shell')
  const { id: channel_id, server_id } = channel
  const [listeners, setListeners] = useState<VoiceState[]>([])
  const { attempt, error, busy } = useAttempt()
  useEffect(() => {
    const load = async () => {
      askedAt = performance.now()
      const query = { channel_id, limit: NAMED_MAX, part: 'listeners' as const }
      setListeners(await call('GET /api/channels/:channel_id/voice-states', query))
    }
    const waitMs = listeners.length === 0 ? 0 : Math.max(0, askedAt + RENEW_MS - performance.now())
    const timer = setTimeout(() => void load().catch(() => {}), waitMs)
    return () => clearTimeout(timer)
  }, [channel_id, count])
  const invite = (user_id: number) => void attempt(() => gateway.command('voice.let_up', { server_id, user_id }))
  const others = count - listeners.length
  return (
    <>
      <ul class="audience">
        {listeners.map(({ user, stage }) => {
          const name = nameOf(user.id, user.display_name)
          const { invited_at } = state.voices.get(user.id)?.stage ?? stage ?? {}
          return (
            <li key={user.id} class="row" data-menu={`person ${user.id} ${server_id}`}>
              <Avatar id={user.id} size={28} />
              <bdi>{name}</bdi>
              {!moderatesStage(channel) || user.id === state.me() ? null : invited_at ? (
                <small>{stageWords.isInvited}</small>
              ) : (
                <IconButton
                  icon="mic"
                  size={16}
                  label={stageWords.invite(name)}
                  disabled={busy}
                  onClick={() => invite(user.id)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {listeners.length > 0 && others > 0 ? <p class="quiet">{stageWords.others(others)}</p> : null}
      <Refusal error={error} />
    </>
  )
}
