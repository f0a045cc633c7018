/** Texts that have broken programs before: each is to come back as it was sent, or to be refused with a reason. */
export const naughtyTexts: string[] = [
  // Nothing, or nothing to see.
  '', ' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u180e', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u115f',
  'zero\u200bwidth', 'soft\u00adhyphen', '\ufeffmark first', 'mark last\ufeff', ' space before', 'space after ', 'a\u2028b\u2029c',
  // Control characters, and what writes them.
  'a\u0001b', 'a\u0007b', 'a\bb', 'a\u000bb', 'a\u000cb', 'a\u001b[31mred\u001b[0m', 'a\u007fb', 'a\u0085b', 'a\u009bb', '\u001b]0;title\u0007',
  'a\0b', '\\u0000', '\\0', '%00', '&#0;', '\ud800', 'a\udc00b', '\udc00\ud800', '\ufffd', '\uffff', '\ufffe', '\u{10ffff}',
  // Right to left, and hidden.
  '\u202eright to left', '\u202dleft\u202c', '\u2066isolated\u2069', 'שלום abc', 'مرحبا بالعالم', 'ﷺ', '\u{e0041}\u{e0042}\u{e007f}', 'a\u034fb', 'a\ufe0f',
  // Composed and decomposed.
  'é', 'e\u0301', 'Å', 'A\u030a', '\u212b', 'ﬁ', 'ſ', 'İi̇Iı', 'ß', 'ǅ', 'Ω', '가', '가', 'क्षि', 'Z̮̞̠͙͔ͅa͖l̯g̠o', 'x\u0301\u0301\u0301\u0301\u0301\u0301',
  // Beyond the first plane.
  '😀', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', '🏴‍☠️', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢', '𠜎𠜱', '1️⃣', '①②③', '１２３', '٠١٢٣', '田中さん', 'Ｆｕｌｌ', '½²√∞≠',
  // Words of programs.
  'null', 'NULL', 'nil', 'undefined', 'true', 'false', 'NaN', 'Infinity', '-Infinity', '[object Object]', '0', '-0', '-1', '1e400', '0x10', '1_000', '1,000.00',
  '9007199254740993', '99999999999999999999999', '2026-02-30', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '$where', '$1', '$$', '$&',
  // JSON, SQL, patterns.
  '"', "'", '`', '\\', '\\\\', '\\"', '{', '}', '{}', '[]', '{"a":1}', '/*', '*/', '--', '; --', "' or 1=1 --", "'; drop table runs; --", '"; drop table runs; --',
  "') union select 1 --", '%', '_', '%%', '\\%', '100%', 'a_b', '*', '.*', '(a+)+$', '[', '(?i)', '^$', "\\x27", "E'\\\\x'",
  // Markup and templates.
  '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg/onload=alert(1)>', '</textarea>', '<!--', ']]>', '<?xml version="1.0"?>', '&lt;', '&amp;', 'javascript:alert(1)',
  '${7*7}', '{{7*7}}', '<%= 7*7 %>', '#{7*7}', '%s%s%s%n', '%x', '%d', '{0}', '%(name)s', '!important',
  // Paths, commands, headers.
  '../../etc/passwd', '..\\..\\windows', '/etc/passwd', 'C:\\', 'CON', 'nul', '.', '..', '.git', 'a/b', 'a//b', '~', '~root', 'a.lock', 'refs/heads/x', '@', '@{-1}', 'HEAD', '-', '--',
  '-rf', '--help', '--upload-pack=x', '$(touch x)', '`touch x`', '| ls', '; ls', '& ls', '> x', '$HOME', '%PATH%', '!!', 'a\r\nSet-Cookie: b', 'a\nb', 'Bearer x', 'a=b&c=d', '?x#y', '+', 'a+b',
  // Long.
  'x'.repeat(200), 'x'.repeat(201), '😀'.repeat(100), 'é'.repeat(1_000), 'W'.repeat(10_000), '\u0301'.repeat(500), '\n'.repeat(500) + 'x',
] // prettier-ignore
