import type { OfferedCommand } from './model.ts'

type Texts = Record<string, string> | undefined

/**
 * The text for a reader: that of the locale, of its language, or of another locale of the language.
 * @returns it under the locale; undefined if there is none
 */
export function textFor(texts: Texts, locale: string): Texts {
  if (!texts) return undefined
  const sought = locale.toLowerCase()
  const [language = ''] = sought.split('-')
  const ranked = Object.entries(texts).map(([name, text]) => ({ name: name.toLowerCase(), text }))
  const best =
    ranked.find(({ name }) => name === sought) ??
    ranked.find(({ name }) => name === language) ??
    ranked.find(({ name }) => name.split('-')[0] === language)
  return best && { [locale]: best.text }
}

interface Localised {
  name_localizations?: Texts
  description_localizations?: Texts
}

/** The same thing with the texts of one locale, if it has any. */
function inLocale<T extends Localised>(thing: T, locale: string): T {
  const { name_localizations: names, description_localizations: descriptions, ...rest } = thing
  const [name, description] = [textFor(names, locale), textFor(descriptions, locale)]
  return {
    ...rest,
    ...(name ? { name_localizations: name } : {}),
    ...(description ? { description_localizations: description } : {}),
  } as T
}

/** A command with the texts of one locale only, because all of them would make lists long. */
export function commandFor(command: OfferedCommand, locale: string): OfferedCommand {
  const optionsFor = (options: OfferedCommand['options']) =>
    options.map((option) => ({
      ...inLocale(option, locale),
      choices: option.choices.map((choice) => inLocale(choice, locale)),
    }))
  return {
    ...inLocale(command, locale),
    options: optionsFor(command.options),
    subcommands: command.subcommands.map((each) => ({ ...inLocale(each, locale), options: optionsFor(each.options) })),
  }
}
