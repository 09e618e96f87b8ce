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
  choices: 'Kanallar ve roller',
  pick: 'Seçebileceğin roller',
  pickHint: 'Seçimini istediğin zaman değiştirebilirsin.',
  nothing: 'Henüz seçilecek bir şey yok',
  nothingText: 'Bu sunucu üyelerine seçenek sunmuyor.',
  mayNotChoose: 'Burada yazabildiğinde seçim yapabilirsin.',
  selfAssignable: 'Üyeler bu rolü kendileri seçebilir',
  selfAssignableHint:
    'Böyle bir rolün sırası yoktur ve yalnızca herkesin başlangıç izinlerini taşır. Bunu kapatırsan üyeler ' +
    'rolü korur.',
  opens: 'Kanallar herkese açılsın mı?',
  opensText: (channels) => `Herkes bu rolü seçebilir, bu yüzden herkes şunları görebilir: ${channels}`,
  open: 'Aç',
  hidden: 'göremediğin bir kanal',
} satisfies typeof arrivalWords
