/** Groups of digits to compare, from left to right in every language. */
export const Digits = ({ groups }: { groups: string[] }) => (
  <p class="digits" dir="ltr">
    {groups.join(' ')}
  </p>
)
