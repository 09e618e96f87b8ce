import { useRef } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { follow } from '../../state/session.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { watchedScreen } from '../../voice/current-call.ts'
import { followCall } from '../../voice/shown-call.ts'
import { OWN_SCREEN, sharedScreens, shownScreen } from '../../voice/screens.ts'
import { callWords } from '../../words/call.ts'
import { words } from '../../words/words.ts'
import { Avatar, IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { Picture } from './picture.tsx'

/** Shows a video on the whole display. Safari on an iPhone can do that only in the player of the system. */
function fillScreen(video?: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null): void {
  if (video?.requestFullscreen) void video.requestFullscreen()
  else video?.webkitEnterFullscreen?.()
}

/** The shared screens, if there are several or this member shares one. The one on the stage is marked. */
export const ScreenChoice = ({ call }: { call: VoiceCall }) => {
  follow('members')
  followCall()
  const screens = sharedScreens(call)
  if (screens.length < 2 && !call.sharing_screen) return null
  return (
    <div class="screens" role="group" aria-label={callWords.screens}>
      {screens.map(({ from, user_id }) => {
        const isShown = watchedScreen.value === from
        return (
          <button
            key={from}
            type="button"
            class={from === OWN_SCREEN ? 'own' : ''}
            aria-pressed={isShown}
            onClick={() => (watchedScreen.value = isShown ? undefined : from)}
          >
            <Icon name="screen" size={16} />
            <bdi>{from === OWN_SCREEN ? callWords.ownScreen : nameOf(user_id)}</bdi>
          </button>
        )
      })}
    </div>
  )
}

/** The shared screen that is watched. */
export const WatchedScreen = ({ call }: { call: VoiceCall }) => {
  followCall()
  const frame = useRef<HTMLDivElement>(null)
  const screen = shownScreen(call)
  if (!screen) return null
  const { from, user_id, stream } = screen
  const isOwn = from === OWN_SCREEN
  return (
    <div class="screen" ref={frame}>
      <Picture
        call={call}
        {...(isOwn ? {} : { from })}
        source="screen"
        stream={stream}
        label={isOwn ? callWords.ownScreen : callWords.screen}
      />
      <p class="tag">
        <Avatar id={user_id} size={22} />
        {isOwn ? (
          callWords.ownScreen
        ) : (
          <>
            <bdi>{nameOf(user_id)}</bdi> {words.voice.sharing}
          </>
        )}
      </p>
      <span class="choices">
        <IconButton
          icon="expand"
          label={callWords.fullScreen}
          onClick={() => fillScreen(frame.current?.querySelector('video'))}
        />
        <IconButton icon="close" label={callWords.closeScreen} onClick={() => (watchedScreen.value = undefined)} />
      </span>
    </div>
  )
}
