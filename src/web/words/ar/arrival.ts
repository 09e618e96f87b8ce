import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'الأعضاء الجدد',
  rules: 'القواعد',
  rulesHint: 'يقبل من ينضم لاحقًا هذه القواعد قبل أن يتمكن من الكتابة. أي تغيير يُظهر للأعضاء شريطًا ولا يمنع أحدًا.',
  rulesField: 'القواعد (Markdown، بحد أقصى 16 سطرًا)',
  saveRules: 'حفظ القواعد',
  waiting: 'أوشكت على الدخول: اقبل القواعد للمشاركة.',
  changed: 'تغيّرت قواعد هذا الخادم.',
  read: 'قراءة القواعد',
  rulesOf: (server) => `قواعد ${server}`,
  accept: 'قبول القواعد',
  goIn: 'ادخل',
  noRules: 'لا قواعد لهذا الخادم. يمكنك الدخول.',
  readAgain: 'تغيّرت القواعد للتو. يُرجى قراءتها مجددًا.',
  welcome: 'أهلًا بك!',
  wave: 'لوّح',
} satisfies typeof arrivalWords
