import { inLanguage } from './plural.ts'

/** Words of the page on which a person claims their imported messages, loaded with it. */
export const importWords = inLanguage('imports', {
  title: 'Take your messages',
  text:
    'Messages that were moved in from elsewhere become yours, with their files and reactions. Roles and permissions ' +
    'stay as they are. There is no way back.',
  take: 'They are mine',
  taken: 'They become yours within minutes.',
  gone: 'The link has expired, was used, or was made for another account.',
  go: 'Continue',
})
