import type { ComponentChildren } from 'preact'
import type { File } from '../../../features/files/model.ts'
import { words } from '../../words/words.ts'
import { isCovered, reveal } from './media.ts'

/** Covers a picture or video until a click or a key reveals it. */
export const Cover = ({ file, children }: { file: File; children: ComponentChildren }) =>
  isCovered(file) ? (
    <div class="covered">
      <div inert aria-hidden="true">
        {children}
      </div>
      <button type="button" aria-label={words.files.reveal} onClick={() => reveal(file)}>
        <span>{words.files.spoiler}</span>
      </button>
    </div>
  ) : (
    <>{children}</>
  )
