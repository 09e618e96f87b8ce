import { dialogWords } from '../../words/dialogs.ts'

/** A dialog for a text that is too long for a message, which offers to send it as a file. */
export const TooLong = ({ asFile }: { asFile: () => void }) => (
  <p class="refusal too-long" role="alert">
    {dialogWords.writing.tooLong}{' '}
    <button type="button" class="link" onClick={asFile}>
      {dialogWords.writing.asFile}
    </button>
  </p>
)
