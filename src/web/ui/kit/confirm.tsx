import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { DangerDialog, type DangerDialogProps } from './dialog.tsx'
import { Field } from './forms.tsx'

/** A request to confirm; `typed` is a word that has to be typed first. */
export type Question = Pick<DangerDialogProps, 'title' | 'text' | 'action' | 'work'> & { typed?: string }

/** The dialog of a question. */
export const Confirm = ({ typed, ...question }: Question) => {
  const [word, setWord] = useState('')
  return (
    <DangerDialog {...question} disabled={typed !== undefined && word !== typed}>
      {typed === undefined ? null : <Field label={words.typeToConfirm(typed)} value={word} onInput={setWord} />}
    </DangerDialog>
  )
}
