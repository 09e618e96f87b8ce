import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Yeni üyeler',
  rules: 'Kurallar',
  rulesHint:
    'Daha sonra katılanlar yazabilmek için bu kuralları kabul eder. Bir değişiklik üyelere bir bildirim ' +
    'gösterir ve kimseyi engellemez.',
  rulesField: 'Kurallar (Markdown, en fazla 16 satır)',
  saveRules: 'Kuralları kaydet',
  waiting: 'Neredeyse tamam: katılmak için kuralları kabul et.',
  changed: 'Bu sunucunun kuralları değişti.',
  read: 'Kuralları oku',
  rulesOf: (server) => `${server} kuralları`,
  accept: 'Kuralları kabul et',
  goIn: 'Gir',
  noRules: 'Bu sunucunun kuralı yok. Girebilirsin.',
  readAgain: 'Kurallar az önce değişti. Lütfen yeniden oku.',
  welcome: 'Hoş geldin!',
  wave: 'El salla',
} satisfies typeof arrivalWords
