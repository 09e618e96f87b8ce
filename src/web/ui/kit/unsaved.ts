import { useLayoutEffect, useRef } from 'preact/hooks'
import { isPageLeft } from '../../state/leave-page.ts'
import { go, stepGuard } from '../../state/route.ts'
import { settingsWords } from '../../words/settings.ts'
import { askToConfirm } from './ask.tsx'
import { closeDialogs, openDialogs, topDialogCloser } from './dialogs.tsx'

/** Forms with changes that are not saved. */
const unsavedForms = new Set<object>()

/** The browser asks before it leaves the page. */
const keepPage = (event: Event): void => {
  if (!isPageLeft()) event.preventDefault()
}

/** The page with the forms, as the browser's history has it. */
let page: { url: string; state: unknown } | undefined

/**
 * A step in the browser's history is asked about, too. It has been made when the page hears of it, and the forms' page
 * is put above where it led to: to go there afterwards is one step back, whichever way it was.
 * @param to the page that a notice leads to, which is no step yet
 */
const keepPlace = (to?: string): boolean => {
  // Elsewhere no question can be shown.
  if (!page || openDialogs.value.length === 0) return false
  if (to === undefined) history.pushState(page.state, '', page.url)
  leaveForm(() => (closeDialogs(), to === undefined ? history.back() : go(to)))
  return true
}

function note(form: object, hasChanges: boolean): void {
  if (hasChanges) unsavedForms.add(form)
  else unsavedForms.delete(form)
  if (hasChanges) page = { url: location.href, state: history.state }
  stepGuard.keeps = unsavedForms.size > 0 ? keepPlace : undefined
  if (unsavedForms.size > 0) addEventListener('beforeunload', keepPage)
  else removeEventListener('beforeunload', keepPage)
}

/**
 * Notes that a form has changes that are not saved, so that leaving it asks.
 * @param values what can be entered, at first as it is saved
 * @returns a function to call when the values have been saved
 */
export function useUnsaved(values: unknown): () => void {
  return useForm(values).markSaved
}

/**
 * The same for a dialog that is one form.
 * @param isBusy whether a request runs that closes the dialog when it succeeds
 * @param isNew whether even the first values are saved nowhere
 * @returns also what closes it, after a question if there are changes; while the request runs, it does nothing
 */
export function useUnsavedDialog(
  values: unknown,
  isBusy = false,
  isNew = false,
): { close: () => void; markSaved: () => void } {
  const { form, markSaved } = useForm(values, isNew)
  return { close: () => void (isBusy || leaveForm(topDialogCloser(), form)), markSaved }
}

function useForm(values: unknown, isNew = false): { form: object; markSaved: () => void } {
  const { current: form } = useRef({})
  const now = JSON.stringify(values)
  const savedValues = useRef(isNew ? undefined : now)
  const newest = useRef<string | undefined>(now)
  newest.current = now
  useLayoutEffect(() => note(form, now !== savedValues.current), [now])
  useLayoutEffect(
    () => () => {
      newest.current = undefined
      note(form, false)
    },
    [],
  )
  const markSaved = () => {
    savedValues.current = now
    // More may have been entered while the request ran.
    note(form, newest.current !== undefined && newest.current !== now)
  }
  return { form, markSaved }
}

/** The open dialogs, when the last question had been added. */
let dialogsWhenAsked: typeof openDialogs.value | undefined
/** True if a confirmation is about to open. */
let isAsking = false

/**
 * Leaves a form, after a question if it has changes that are not saved.
 * @param form the form; otherwise all that are open
 */
export function leaveForm(leave: () => void, form?: object): void {
  const unsavedLeft = form ? [form].filter((one) => unsavedForms.has(one)) : [...unsavedForms]
  if (unsavedLeft.length === 0) return leave()
  // However often one tries, there is one question.
  if (isAsking || openDialogs.value === dialogsWhenAsked) return
  isAsking = true
  void askToConfirm({
    title: settingsWords.unsaved.title,
    text: settingsWords.unsaved.text,
    action: settingsWords.unsaved.discard,
    work: async () => {
      for (const one of unsavedLeft) note(one, false)
      // Once the question is gone: what is left may be the dialog below it.
      return leave
    },
  }).finally(() => {
    isAsking = false
    dialogsWhenAsked = openDialogs.value
  })
}
