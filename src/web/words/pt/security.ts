import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Usar sua senha',
    code: 'Usar seu aplicativo autenticador',
    recovery_code: 'Usar um código de recuperação',
    passkey: 'Usar uma chave de acesso',
  },
  fields: {
    password: 'Senha',
    code: 'Código do seu aplicativo autenticador',
    recovery_code: 'Código de recuperação',
  },
  problems: {
    invalid_code: 'Este código está errado, expirou ou já foi usado. Espere o próximo.',
    login_expired: 'Demorou demais, ou houve tentativas demais. Entre de novo.',
    invalid_credentials: 'Esta não é sua senha.',
  },
  recoveryHint: 'Um dos dez códigos que você salvou. Cada um funciona uma vez.',
  second: {
    title: 'Mais um passo',
    text: 'Mostre que é você.',
    login: 'Entrar',
    back: 'Voltar',
  },
  proof: {
    title: 'É você?',
    text: 'Isto muda quem pode entrar na sua conta. Não perguntaremos de novo por dez minutos.',
    go: 'Continuar',
    none: 'Não há nada aqui para mostrar isso. Peça a quem cuida deste servidor um link para uma senha.',
  },
  notThere: 'O navegador não usou uma chave de acesso: foi cancelado, ou não há nenhuma para este site.',
  app: {
    title: 'Aplicativo autenticador',
    off: 'Além da sua senha, entrar passa a exigir um código de um aplicativo no seu celular.',
    since: (time) => `Ligado desde ${time}. Entrar exige um código do seu aplicativo.`,
    left: (n) =>
      count(
        n,
        'Resta # código de recuperação',
        'Restam # de códigos de recuperação',
        'Restam # códigos de recuperação',
      ),
    setUp: 'Configurar',
    turnOff: 'Desligar',
    turnOffText: 'Só a sua senha bastará para entrar. Seus códigos de recuperação deixam de funcionar.',
    isOff: 'O aplicativo autenticador está desligado',
    newCodes: 'Novos códigos de recuperação',
    scan: 'Escaneie isto com seu aplicativo autenticador.',
    picture: 'Código QR para o aplicativo autenticador',
    type: 'Ou digite esta chave nele:',
    confirm: 'Depois digite o código que ele mostra',
    turnOn: 'Ligar',
  },
  codes: {
    title: 'Seus códigos de recuperação',
    text:
      'Salve-os agora: eles só são mostrados uma vez. Cada um deixa você entrar uma vez, quando o ' +
      'aplicativo não estiver à mão. Os anteriores não funcionam mais.',
    file: 'parley-codigos-de-recuperacao.txt',
    heading: (name, host) => `Códigos de recuperação de ${name} em ${host}`,
    download: 'Baixar',
    saved: 'Já salvei',
  },
  passkeys: {
    title: 'Chaves de acesso',
    text: 'Uma chave de acesso deixa você entrar com digital, rosto, PIN ou chave de segurança, sem senha.',
    add: 'Adicionar uma chave de acesso',
    added: (time) => `adicionada ${time}`,
    used: (time) => `último uso ${time}`,
    name: 'Nome',
    nameHint: 'Para você reconhecê-la, como “Celular”.',
    rename: 'Renomear',
    renameOf: (name) => `Renomear ${name}`,
    remove: 'Remover',
    removeOf: (name) => `Remover ${name}`,
    removeText: (name) => `${name} não deixará mais você entrar aqui.`,
  },
} satisfies typeof securityWords
