import { useState } from 'preact/hooks'
import { dialogWords } from '../../words/dialogs.ts'
import { DangerDialog, type DangerDialogProps } from './dialog.tsx'
import { Field } from './forms.tsx'

/** A request to confirm; `phrase` is a word that has to be typed first. */
export type Question = Pick<DangerDialogProps, 'title' | 'text' | 'action' | 'work'> & { phrase?: string }

/** The dialog of a question. */
export const Confirm = ({ phrase, ...question }: Question) => {
  const [word, setWord] = useState('')
  return (
    <DangerDialog {...question} disabled={phrase !== undefined && word !== phrase}>
      {phrase === undefined ? null : <Field label={dialogWords.typeToConfirm(phrase)} value={word} onInput={setWord} />}
    </DangerDialog>
  )
}
