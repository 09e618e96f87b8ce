/** Texts in twelve scripts, and what of each is a link or a mention: the server and the client both run them. */

interface Script {
  name: string
  word: string
  /** Ends a sentence. */
  stop: string
  /** Parts a sentence: with the space that its script writes behind it. */
  comma: string
  quotes: [string, string]
}

/** One of each script, and the punctuation that it writes next to a link. */
export const scripts: Script[] = [
  { name: 'Latin', word: 'reiher', stop: '.', comma: ', ', quotes: ['“', '”'] },
  { name: 'Cyrillic', word: 'цапля', stop: '!', comma: ', ', quotes: ['«', '»'] },
  { name: 'Greek', word: 'ερωδιός', stop: '.', comma: ', ', quotes: ['«', '»'] },
  { name: 'Armenian', word: 'ձկնկուլ', stop: '։', comma: '՝ ', quotes: ['«', '»'] },
  { name: 'Hebrew', word: 'אנפה', stop: '.', comma: ', ', quotes: ['„', '”'] },
  { name: 'Arabic', word: 'بلشون', stop: '؟', comma: '،', quotes: ['«', '»'] },
  { name: 'Devanagari', word: 'बगुला', stop: '।', comma: ', ', quotes: ['‘', '’'] },
  { name: 'Ethiopic', word: 'ሳቢሳ', stop: '።', comma: '፣', quotes: ['‹', '›'] },
  { name: 'Thai', word: 'นกกระสา', stop: '…', comma: ' ', quotes: ['“', '”'] },
  { name: 'Han', word: '苍鹭', stop: '。', comma: '，', quotes: ['「', '」'] },
  { name: 'Kana', word: 'さぎ', stop: '！', comma: '、', quotes: ['『', '』'] },
  { name: 'Hangul', word: '왜가리', stop: '？', comma: '：', quotes: ['【', '】'] },
]

export interface MarkupCase {
  /** `<@8>` stands for an account that may be mentioned, and `<@&7>` for a role that may. */
  text: string
  links: string[]
  people: boolean
  roles: boolean
  everyone: boolean
  here: boolean
  /** True if its links get no preview. */
  isQuiet: boolean
}

type Found = Partial<Omit<MarkupCase, 'text'>>
const X = 'https://a.example/x'
const link = (...links: string[]): Found => ({ links })

const casesOf = ({ name, word, stop, comma, quotes: [open, close] }: Script): [text: string, found: Found][] => {
  // A Latin letter next to it makes another word of it.
  const isLatin = name === 'Latin'
  const unlessLatin = (found: Found): Found => (isLatin ? {} : found)
  return [
    [`${word} ${X}${stop}`, link(X)],
    [`${X}${comma}${word}`, link(X)],
    [`${open}${X}${close}${word}`, link(X)],
    [`${open}${X}/${stop}${close}`, link(`${X}/`)],
    [`${word}${X}`, unlessLatin(link(X))],
    [`${word} ${X}/it's ${word}`, link(`${X}/it's`)],
    [`${word} '${X}'${stop}`, link(X)],
    [`${word} (${X}_(y))${stop}`, link(`${X}_(y)`)],
    [`（${X}）${word}`, link(X)],
    [`${word} [${word}](${X})${stop}`, link(X)],
    [`[${word}](https://a.example/x_(y))${word}`, link(`${X}_(y)`)],
    [`${word} <${X}>${stop}`, { ...link(X), isQuiet: true }],
    [`${X}?q=${word} ${word}`, link(`${X}?q=${word}`)],
    [`https://a.example${isLatin ? '' : word}`, link('https://a.example')],
    [`[${word} **https://b.example**](${X})`, {}],
    [`${word} ${X}/@everyone ${word}`, link(`${X}/@everyone`)],
    [`${word} \\@everyone \\<@8>${stop}`, {}],
    [`${word} <@8>${stop}`, { people: true }],
    [`${word}<@8>${word}`, { people: true }],
    [`${word} @everyone${stop}`, { everyone: true }],
    [`${open}@here${close}`, { here: true }],
    [`${word}@everyone`, unlessLatin({ everyone: true })],
    [`@here${word}`, unlessLatin({ here: true })],
    [`\`<@8> @here ${X}\` ${word}`, {}],
    [`\`\`\`\n<@8> @everyone ${X}\n\`\`\`\n${word}`, {}],
    [`||${word} <@8> ${X}||`, { ...link(X), people: true }],
    [`> ${word} @here\n- ${word} <@&7>`, { here: true, roles: true }],
  ]
}

/** The cases of a script. */
export const markupCases = (script: Script): MarkupCase[] =>
  casesOf(script).map(([text, found]) => ({
    text,
    links: [],
    people: false,
    roles: false,
    everyone: false,
    here: false,
    isQuiet: false,
    ...found,
  }))
