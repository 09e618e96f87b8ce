import { namesIn } from './names.ts'

export default namesIn('pt')
