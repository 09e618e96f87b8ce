import { languages } from '../../words/languages.ts'
import { chooseLanguage, chosen, type Language } from '../../words/load.ts'
import { settingsWords } from '../../words/settings.ts'

const { language, browserLanguage } = settingsWords.settings
const NAMES = Object.entries(languages)
  .map(([code, { name, unreviewed }]) => ({ code: code as Language, name, unreviewed }))
  .toSorted((a, b) => a.name.localeCompare(b.name))

/** The choice of the language of this browser, each under its own name. */
export const LanguageChoice = () => (
  <fieldset class="choices column languages">
    <legend>{language}</legend>
    <label>
      <input type="radio" name="language" checked={chosen === ''} onChange={() => chooseLanguage('')} />
      {browserLanguage}
    </label>
    {NAMES.map(({ code, name, unreviewed }) => (
      <label key={code} lang={code}>
        <input type="radio" name="language" checked={chosen === code} onChange={() => chooseLanguage(code)} />
        <span>
          <bdi>{name}</bdi>
          {unreviewed === undefined ? null : (
            <small class="quiet">
              {' '}
              <bdi>{unreviewed}</bdi>
            </small>
          )}
        </span>
      </label>
    ))}
  </fieldset>
)
