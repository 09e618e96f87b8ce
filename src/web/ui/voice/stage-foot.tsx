import { useState } from 'preact/hooks'
import type { VoiceState } from '../../../voice/model.ts'
import { nameOf } from '../../state/names.ts'
import { follow, gateway, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { followCall, voicesIn } from '../../voice/shown-call.ts'
import { listens } from '../../voice/stage-part.ts'
import { stageWords } from '../../words/stages.ts'
import { Avatar, IconButton } from '../kit/controls.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { StageAudience } from './stage-audience.tsx'
import { moderatesStage } from './stage-head.tsx'

interface StageProps {
  channel: ServerChannel
}

const raisedAt = ({ stage }: VoiceState): string => stage?.raised_at ?? ''

/** Raised hands, in the order in which they were raised. */
const handsIn = (channelId: number): VoiceState[] =>
  voicesIn(channelId)
    .filter((voice) => voice.stage?.speaks === false && raisedAt(voice) !== '')
    .toSorted((a, b) => raisedAt(a).localeCompare(raisedAt(b)))

/** Below the speakers of a stage: the account's own part, raised hands for moderators, and the listeners. */
export const StageFoot = ({ channel, call }: StageProps & { call: VoiceCall | undefined }) => {
  follow('voices', 'members', 'shell')
  const [isShown, setShown] = useState(false)
  const n = state.audiences.get(channel.id) ?? 0
  return (
    <div class="stage-foot">
      {call ? <OwnPart channel={channel} call={call} /> : null}
      {moderatesStage(channel) && (call || handsIn(channel.id).length > 0) ? <RaisedHands channel={channel} /> : null}
      {n === 0 ? null : (
        <button type="button" class="listeners bare" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          <Icon name="members" size={16} />
          <span>{stageWords.audience(n)}</span>
          {isShown ? null : <small>{stageWords.showAudience}</small>}
        </button>
      )}
      {isShown && n > 0 ? <StageAudience channel={channel} count={n} /> : null}
    </div>
  )
}

/** Raising the hand, answering an invitation, stepping down. */
const OwnPart = ({ channel, call }: StageProps & { call: VoiceCall }) => {
  follow('voices', 'shell', 'members')
  followCall()
  const { attempt, error, busy } = useAttempt()
  const { stage } = call
  const run = (op: 'voice.go_up' | 'voice.step_down') => void attempt(() => gateway.command(op, {}))
  const raise = (raised: boolean) => void attempt(() => gateway.command('voice.raise_hand', { raised }))
  const isRaised = stage?.raised_at != null
  const before = handsIn(channel.id).findIndex(({ user }) => user.id === state.me())
  return (
    <div class="own-part">
      {!listens(call) ? (
        <button type="button" class="secondary" disabled={busy} onClick={() => run('voice.step_down')}>
          {stageWords.stepDown}
        </button>
      ) : stage?.invited_at != null ? (
        <div class="invited" role="alert">
          <p>{stageWords.invited}</p>
          <button type="button" class="primary" disabled={busy} onClick={() => run('voice.go_up')}>
            <Icon name="mic" size={18} />
            {stageWords.speak}
          </button>
          <button type="button" class="secondary" disabled={busy} onClick={() => run('voice.step_down')}>
            {stageWords.refuse}
          </button>
        </div>
      ) : (
        <>
          {moderatesStage(channel) ? (
            <button type="button" class="primary" disabled={busy} onClick={() => run('voice.go_up')}>
              <Icon name="mic" size={18} />
              {stageWords.speak}
            </button>
          ) : state.mayIn(channel, 'speak') || isRaised ? (
            <button
              type="button"
              class={isRaised ? 'secondary' : 'primary'}
              aria-pressed={isRaised}
              disabled={busy}
              onClick={() => raise(!isRaised)}
            >
              <Icon name="hand" size={18} />
              {isRaised ? stageWords.lower : stageWords.raise}
            </button>
          ) : null}
          {isRaised && before > 0 ? <small>{stageWords.place(before)}</small> : null}
        </>
      )}
      <Refusal error={error} />
    </div>
  )
}

/** The queue of raised hands, for moderators. */
const RaisedHands = ({ channel }: StageProps) => {
  follow('voices', 'members')
  const { attempt, error, busy } = useAttempt()
  const act = (op: 'voice.let_up' | 'voice.send_down', user_id: number) =>
    void attempt(() => gateway.command(op, { server_id: channel.server_id, user_id }))
  const hands = handsIn(channel.id)
  return (
    <section class="hands" aria-label={stageWords.hands}>
      <h3>{stageWords.hands}</h3>
      {hands.length === 0 ? <p class="quiet">{stageWords.noHands}</p> : null}
      <ol>
        {hands.map(({ user }) => {
          const name = nameOf(user.id, user.display_name)
          return (
            <li key={user.id} class="row" data-menu={`person ${user.id} ${channel.server_id}`}>
              <Avatar id={user.id} size={28} />
              <bdi>{name}</bdi>
              <IconButton
                icon="mic"
                label={stageWords.letUp(name)}
                disabled={busy}
                onClick={() => act('voice.let_up', user.id)}
              />
              <IconButton
                icon="close"
                label={stageWords.lowerHand(name)}
                disabled={busy}
                onClick={() => act('voice.send_down', user.id)}
              />
            </li>
          )
        })}
      </ol>
      <Refusal error={error} />
    </section>
  )
}
