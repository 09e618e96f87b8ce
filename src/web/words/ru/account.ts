// Printed from locales/ru/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'С возвращением',
    ended: 'Сеанс завершён с другого устройства. Войдите, чтобы продолжить. Неотправленные сообщения сохранились.',
    name: 'Имя пользователя или эл. почта',
    username: 'Имя пользователя',
    email: 'Эл. почта',
    password: 'Пароль',
    login: 'Войти',
    passkey: 'Войти с ключом доступа',
    register: 'Создать аккаунт',
    forgot: 'Забыли пароль?',
    noAccount: 'Ещё нет аккаунта?',
    haveAccount: 'Уже есть аккаунт?',
    rulesTitle: 'Требования',
    rules: {
      length: 'не меньше 12 символов',
      upper: 'заглавная латинская буква',
      lower: 'строчная латинская буква',
      digit: 'цифра',
      special: 'один из знаков !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Новый вход в ваш аккаунт: ${device}, с ${ip}. Если это были не вы, завершите этот сеанс в настройках.`,
  securityChanged: {
    totp_on: 'Для вашего аккаунта настроено приложение для кодов.',
    totp_off: 'Приложение для кодов вашего аккаунта отключено.',
    recovery_codes: 'Для вашего аккаунта созданы новые коды восстановления.',
    passkey_added: 'В ваш аккаунт добавлен ключ доступа.',
    passkey_removed: 'Из вашего аккаунта удалён ключ доступа.',
    identity_linked: 'Ваш аккаунт связан с единым входом.',
    identity_unlinked: 'Связь вашего аккаунта с единым входом убрана.',
  },
  unknownDevice: 'неизвестное устройство',
} satisfies typeof accountWords
