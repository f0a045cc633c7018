/** Leaves the page as the sender of a form does. */
export function postForm(url: string, fields: Record<string, string>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  // The document was made before its policy let it post there: it is made anew.
  document.addEventListener('securitypolicyviolation', () => location.reload(), { once: true })
  form.submit()
}
