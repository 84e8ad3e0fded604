# The sentences that Swift asks to be translated, for messages; after literals.awk. Each: FILE<tab>SENTENCE<tab>PLURAL, written as PO files
# write them. What is asked for in another way than by literals is named on the standard error, and the exit status is 1.

function is_tr() { return callee[calls] ~ /(^|\.)tr$/ }

function wrong(what) {
    print FILENAME ":" FNR ": " what >"/dev/stderr"
    status = 1
}

function begun(n) {
    kind[n] = !is_tr() ? "" : before == "(" ? "sentence" : before2 before == "plural:" ? "plural" : ""
}

function ended(n) {
    if (kind[n] == "") return
    if (hashes[n] != "" || text[n] ~ /\001/) wrong("tr needs a plain literal without anything put in")
    if (kind[n] == "sentence") {
        sentence[calls] = po(text[n], quotes[n])
        plural[calls] = ""
    } else plural[calls] = po(text[n], quotes[n])
    complete = calls
}

function token_read(token) {
    # Where tr is written itself, it has a name for its sentence.
    if (is_tr() && before == "(" && token !~ /^(_|sentence)$/) wrong("tr needs a literal as its first word, so that it can be extracted")
    if (is_tr() && before2 before == "plural:" && token !~ /^String|plural$/) wrong("tr needs a literal as its plural")
    if (complete && token !~ /^[,)]$/) wrong("tr needs one literal; this one is put together")
    complete = 0
    if (token == ")" && is_tr() && calls in sentence) {
        if (sentence[calls] != "") print FILENAME "\t" sentence[calls] "\t" plural[calls]
        delete sentence[calls]
    }
}

# A literal as it is written in Swift, as PO files write its text.
function po(raw, quotes,    lines, count, i, indent, out) {
    if (quotes == "\"\"\"") {
        # The last line is the indentation that all others lose; that of the quotes is not among them.
        count = split(raw, lines, "\n")
        indent = length(lines[count])
        raw = ""
        for (i = 1; i < count; i++) raw = raw (i > 1 ? "\n" : "") substr(lines[i], indent + 1)
    }
    out = ""
    while (match(raw, /[\\"\n\t]/)) {
        out = out substr(raw, 1, RSTART - 1)
        i = substr(raw, RSTART, 1)
        raw = substr(raw, RSTART + 1)
        if (i == "\"") out = out "\\\""
        else if (i == "\n") out = out "\\n"
        else if (i == "\t") out = out "\\t"
        else if (match(raw, /^[ \t]*\n/)) raw = substr(raw, RLENGTH + 1)
        else if (match(raw, /^u\{[0-9A-Fa-f]+\}/)) {
            out = out scalar(substr(raw, 3, RLENGTH - 3))
            raw = substr(raw, RLENGTH + 1)
        } else {
            i = substr(raw, 1, 1)
            if (i !~ /[\\"'nt]/) wrong("tr with \\" i ", which can't be extracted")
            out = out (i == "'" ? "" : "\\") i
            raw = substr(raw, 2)
        }
    }
    return out raw
}

# A Unicode scalar of this hexadecimal number, in UTF-8.
function scalar(digits,    i, number) {
    number = 0
    for (i = 1; i <= length(digits); i++) number = number * 16 + index("123456789abcdef", tolower(substr(digits, i, 1)))
    if (number == 34 || number == 92) return sprintf("\\%c", number)
    if (number < 32) { wrong("tr with a control character"); return "" }
    if (number < 128) return sprintf("%c", number)
    if (number < 2048) return sprintf("%c%c", 192 + int(number / 64), 128 + number % 64)
    if (number < 65536) return sprintf("%c%c%c", 224 + int(number / 4096), 128 + int(number / 64) % 64, 128 + number % 64)
    return sprintf("%c%c%c%c", 240 + int(number / 262144), 128 + int(number / 4096) % 64, 128 + int(number / 64) % 64, 128 + number % 64)
}

END { exit status }
