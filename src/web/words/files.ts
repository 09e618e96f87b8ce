// Printed from locales/en/files.json. After a change there: bun run words
import { count, inLanguage } from './plural.ts'

/** Words of chosen files and of players, loaded with them. */
export const fileWords = inLanguage('files', {
  tooMany: (n: number) => `A message can have up to 10 files. ${count(n, '# file was', '# files were')} left out.`,
  unnamed: 'file',
  interrupted: 'The upload was interrupted.',
  remove: (name: string) => `Remove ${name}`,
  progress: (name: string) => `Uploading ${name}`,
  download: 'Download',
  downloadOne: (name: string) => `Download ${name}`,
  mark: (name: string) => `Mark ${name} as a spoiler`,
  describe: (name: string) => `Describe ${name}`,
  description: 'What it shows',
  descriptionHint: 'Read aloud to people who cannot see it, and included in search.',
})
