import type { Question } from '../../../features/arrival/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { Emoji } from '../emoji/emoji.tsx'

interface QuestionsProps {
  questions: Question[]
  chosenIds: number[]
  disabled?: boolean
  onChange: (chosenIds: number[]) => void
}

/** The questions of a server, with their answers. */
export const Questions = ({ questions, chosenIds, disabled = false, onChange }: QuestionsProps) => (
  <div>
    {questions.map((question) => (
      <QuestionField
        key={question.id}
        question={question}
        chosenIds={chosenIds}
        disabled={disabled}
        onChange={onChange}
      />
    ))}
  </div>
)

type FieldProps = Omit<Required<QuestionsProps>, 'questions'> & { question: Question }

const QuestionField = ({ question, chosenIds, disabled, onChange }: FieldProps) => {
  const { id, title, description, multiple, required, options } = question
  const own = new Set(options.map((option) => option.id))
  const others = chosenIds.filter((each) => !own.has(each))
  const toggle = (optionId: number) => {
    const isChosen = chosenIds.includes(optionId)
    if (!multiple) return onChange([...others, optionId])
    onChange(isChosen ? chosenIds.filter((each) => each !== optionId) : [...chosenIds, optionId])
  }
  return (
    <fieldset class="question" disabled={disabled}>
      <legend>
        <bdi>{withoutBidi(title)}</bdi> {required ? <small>({arrivalWords.needed})</small> : null}
      </legend>
      {description ? (
        <p class="quiet" dir="auto">
          {withoutBidi(description)}
        </p>
      ) : null}
      {options.map((option) => (
        <label key={option.id} class="check">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={`question-${id}`}
            checked={chosenIds.includes(option.id)}
            onChange={() => toggle(option.id)}
          />
          <span>
            {option.emoji === null ? null : (
              <>
                <Emoji emoji={option.emoji} />{' '}
              </>
            )}
            <bdi>{withoutBidi(option.label)}</bdi>
            {option.description ? <small dir="auto">{withoutBidi(option.description)}</small> : null}
          </span>
        </label>
      ))}
      {multiple || required ? null : (
        <label class="check">
          <input
            type="radio"
            name={`question-${id}`}
            checked={others.length === chosenIds.length}
            onChange={() => onChange(others)}
          />
          <span>{arrivalWords.noAnswer}</span>
        </label>
      )}
    </fieldset>
  )
}
