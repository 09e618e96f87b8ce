/** Events of a person on the page, after which browsers allow sound. */
const GESTURES = ['click', 'keydown'] as const

/**
 * Plays the sound of a call. Safari refuses sound that begins without a click unless the page has the microphone, so
 * somebody who only listens would not hear a member that joins later: a refused player begins at the next click or key.
 */
export function startPlaying(player: Pick<HTMLMediaElement, 'play'>, page: EventTarget = document): void {
  const again = () => {
    for (const gesture of GESTURES) page.removeEventListener(gesture, again, true)
    startPlaying(player, page)
  }
  player.play().catch((error: unknown) => {
    // Every other refusal is final: the stream has been replaced, or the call has ended.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    for (const gesture of GESTURES) page.addEventListener(gesture, again, true)
  })
}
