import { expect, test } from 'bun:test'
import { startPlaying } from '../../../src/web/voice/playing.ts'

/** A browser's player whose first plays are refused for this reason. */
function playerRefused(times: number, name: string) {
  const player = {
    plays: 0,
    play: async () => {
      if (++player.plays <= times) throw new DOMException('', name)
    },
  }
  return player
}

test('a player that the browser refuses begins at the next click or key, and only once', async () => {
  for (const gesture of ['click', 'keydown']) {
    const [page, player] = [new EventTarget(), playerRefused(2, 'NotAllowedError')]
    startPlaying(player, page)
    await Promise.resolve()
    expect(player.plays).toBe(1)
    for (const plays of [2, 3, 3]) {
      page.dispatchEvent(new Event(gesture))
      await new Promise((resolve) => setTimeout(resolve))
      expect(player.plays).toBe(plays)
    }
  }
})

test('a player whose stream was replaced is not started again', async () => {
  const [page, player] = [new EventTarget(), playerRefused(1, 'AbortError')]
  startPlaying(player, page)
  await new Promise((resolve) => setTimeout(resolve))
  page.dispatchEvent(new Event('click'))
  expect(player.plays).toBe(1)
})
