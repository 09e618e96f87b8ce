import { publicWords } from '../../words/public-pages.ts'

/** Says that everybody reads what is written in the channel. */
export const PublicLine = () => <p class="quiet waiting">{publicWords.here}</p>
