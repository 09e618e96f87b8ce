import type { Events } from '../../../core/events.ts'
import type { BodyOf } from '../../client/client.ts'
import { call, gateway } from '../../state/session.ts'
import { withoutBidi } from '../../state/names.ts'
import { showDialog } from '../kit/dialogs.tsx'
import { answersShown, type ShownAnswer } from './answers-shown.ts'
import { ModalDialog } from './modal-dialog.tsx'

type Answered = Events['interaction.answered']
type Draft = BodyOf<'POST /api/interactions'>

/** A bot has 3 s; the rest is the way there and back. */
const ANSWER_MS_MAX = 5_000
/** Time for a bot to send a deferred answer. */
const DEFERRED_MS_MAX = 900_000
const SHOWN_MAX = 20
let keys = 0

const change = (id: number, to: Partial<ShownAnswer> | undefined): void => {
  answersShown.value = answersShown.value.flatMap((entry) =>
    entry.interaction_id !== id || entry.state === 'said' || entry.state === 'dismissed'
      ? [entry]
      : to
        ? [{ ...entry, ...to }]
        : [],
  )
}

const show = (answer: Omit<ShownAnswer, 'key'>): void => {
  answersShown.value = [...answersShown.value, { ...answer, key: ++keys }].slice(-SHOWN_MAX)
}

const NOTHING = { places: [], content: '', components: [], embeds: [] }

/** Shows a bot's answer that only the account sees, instead of the answer that it replaces. */
function putAnswer(origin: Pick<ShownAnswer, 'interaction_id' | 'channel_id' | 'bot'>, event: Answered): void {
  const { interaction_id } = origin
  const { answer, replaces, content, components, embeds } = event
  const place = { interaction_id, answer: answer ?? 0 }
  const isIt = (entry: ShownAnswer, { interaction_id, answer }: ShownAnswer['places'][number]) =>
    entry.places.some((each) => each.interaction_id === interaction_id && each.answer === answer)
  const before = answersShown.value.find((entry) => isIt(entry, place) || (replaces !== null && isIt(entry, replaces)))
  if (!before) return show({ ...origin, state: 'said', places: [place], content, components, embeds })
  const next = { ...before, ...origin, places: [...before.places, place].slice(-SHOWN_MAX), components, embeds }
  const changed = { ...next, content: content === '' ? before.content : content }
  answersShown.value = answersShown.value.map((entry) => (entry === before ? changed : entry))
}

/** Answers of bots to this page, by interaction. An answer may arrive before the response to the request. */
const early = new Map<number, Answered[]>()
/** The interactions that this page has begun, and their autocomplete. */
const listeners = new Map<number, (answer: Answered) => void>()

gateway.listen(({ t, d }) => {
  if (t !== 'interaction.answered') return
  const listener = listeners.get(d.interaction_id)
  if (listener) return listener(d)
  early.set(d.interaction_id, [...(early.get(d.interaction_id) ?? []), d])
  for (const oldest of early.keys()) if (early.size > SHOWN_MAX) early.delete(oldest)
})

/** Calls back with the answers to an interaction: the ones that have arrived, and later ones. */
function hear(id: number, listener: (answer: Answered) => void): void {
  listeners.set(id, listener)
  for (const oldest of listeners.keys()) if (listeners.size > 10 * SHOWN_MAX) listeners.delete(oldest)
  for (const answer of early.get(id) ?? []) listener(answer)
  early.delete(id)
}

/**
 * Starts an interaction with a bot, and shows the answers that only the account sees.
 * @param onBegun called before an answer is shown, which may be a dialog
 * @throws ApiError
 */
export async function ask(draft: Draft, channel_id: number, bot: string, onBegun = () => {}): Promise<void> {
  const { id } = await call('POST /api/interactions', {}, draft)
  onBegun()
  show({ interaction_id: id, channel_id, bot, state: 'waiting', ...NOTHING })
  const silentAfter = (ms: number) => setTimeout(() => change(id, { state: 'silent' }), ms)
  let timer = silentAfter(ANSWER_MS_MAX)
  hear(id, (answer) => {
    clearTimeout(timer)
    const name = withoutBidi(answer.bot.display_name)
    if (answer.kind === 'deferred') {
      timer = silentAfter(DEFERRED_MS_MAX)
      return change(id, { state: 'waiting', bot: name })
    }
    change(id, undefined)
    const { modal } = answer
    if (answer.kind === 'ephemeral') putAnswer({ interaction_id: id, channel_id, bot: name }, answer)
    if (modal)
      showDialog(() => (
        <ModalDialog
          modal={modal}
          channel_id={channel_id}
          send={(filled, onBegun) =>
            ask({ kind: 'modal', interaction_id: id, custom_id: modal.custom_id, ...filled }, channel_id, name, onBegun)
          }
        />
      ))
  })
}

/** Asks a bot for choices while the account types. @returns none when it does not answer */
export async function askChoices(draft: Extract<Draft, { kind: 'autocomplete' }>): Promise<Answered['choices']> {
  const { id } = await call('POST /api/interactions', {}, draft)
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), ANSWER_MS_MAX)
    hear(id, ({ choices }) => resolve(choices))
  })
}

/** The account has read an answer. */
export const dismiss = (key: number): void => {
  answersShown.value = answersShown.value.flatMap((entry) => {
    if (entry.key !== key) return [entry]
    return entry.state === 'said' ? [{ ...entry, state: 'dismissed' as const }] : []
  })
}
