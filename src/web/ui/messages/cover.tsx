import type { ComponentChildren } from 'preact'
import type { File } from '../../../features/files/model.ts'
import { words } from '../../words/words.ts'
import type { Entry } from '../../state/timeline.ts'
import { isCovered, isSpoiler, reveal } from './media.ts'

/** Covers a picture or video until a click or a key reveals it. */
export const Cover = ({ file, entry, children }: { file: File; entry: Entry; children: ComponentChildren }) =>
  isCovered(file, entry) ? (
    <div class="covered">
      <div inert aria-hidden="true">
        {children}
      </div>
      <button
        type="button"
        aria-label={isSpoiler(file.filename) ? words.files.reveal : words.files.uncover}
        onClick={() => reveal(file)}
      >
        <span>{isSpoiler(file.filename) ? words.files.spoiler : words.files.uncover}</span>
      </button>
    </div>
  ) : (
    <>{children}</>
  )
