import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { follow, state } from '../../state/session.ts'
import { callError, followCall, speakersIn } from '../../voice/shown-call.ts'
import { canFloat, floating, floatingVideo, openFloating } from '../../voice/floating.ts'
import { OWN_SCREEN, shownScreen } from '../../voice/screens.ts'
import { largePerson } from '../../voice/stage-view.ts'
import { callWords } from '../../words/call.ts'
import { IconButton } from '../kit/controls.tsx'
import { CallControls } from './call-controls.tsx'
import { LargePerson } from './participant-tile.tsx'
import { Picture } from './picture.tsx'

const SIZE = { width: 400, height: 300 }

/** Shows the call above other windows, or no longer. */
async function toggleFloating(): Promise<void> {
  if (floating.value) return floating.value.close()
  if (document.pictureInPictureElement) return document.exitPictureInPicture()
  const popup = await openFloating(SIZE)
  if (popup) {
    const { body } = popup.document
    render(<FloatingCall />, body)
    popup.addEventListener('pagehide', () => render(null, body))
  } else await floatingVideo()?.requestPictureInPicture()
}

/** Button that shows the call above other windows; absent if the browser cannot. */
export const FloatSwitch = () =>
  canFloat() ? (
    <IconButton
      icon="float"
      label={floating.value ? callWords.unfloat : callWords.float}
      pressed={floating.value !== undefined}
      onClick={() => void toggleFloating().catch((error: Error) => (callError.value = error.message))}
    />
  ) : null

/** The watched screen or active speaker, and the controls. Closes with the call. */
const FloatingCall = () => {
  follow('voices', 'members', 'shell')
  const call = followCall()
  const large = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (!call) floating.value?.close()
  }, [call])
  const channel = call && state.channels.get(call.channel_id)
  if (!call || !channel) return null
  const screen = shownScreen(call)
  const speaker = largePerson(speakersIn(channel.id), large.current)
  large.current = speaker?.user.id
  return (
    <section class="voice dark floating" aria-label={callWords.call}>
      <div class="call-room">
        {screen ? (
          <div class="screen">
            <Picture
              call={call}
              {...(screen.from === OWN_SCREEN ? {} : { from: screen.from })}
              source="screen"
              stream={screen.stream}
              label={callWords.screen}
            />
          </div>
        ) : speaker ? (
          <LargePerson voice={speaker} channel={channel} call={call} quality={undefined} />
        ) : null}
      </div>
      <CallControls call={call} isApart />
    </section>
  )
}
