import ar from './ar/about.ts'
import de from './de/about.ts'
import es from './es/about.ts'
import fr from './fr/about.ts'
import hi from './hi/about.ts'
import ja from './ja/about.ts'
import pl from './pl/about.ts'
import pt from './pt/about.ts'
import ru from './ru/about.ts'
import tr from './tr/about.ts'
import uk from './uk/about.ts'
import zh from './zh/about.ts'
import type { About } from './language.ts'
import type { Language } from './load.ts'
import { noticeWords } from './notices.ts'

/** Every language that the client speaks. */
export const languages: Record<Language, About> = {
  en: { name: 'English', notices: noticeWords },
  de,
  fr,
  es,
  pt,
  pl,
  tr,
  ru,
  uk,
  ar,
  hi,
  ja,
  zh,
}
