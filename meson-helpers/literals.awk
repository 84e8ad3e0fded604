# Reads Swift and hands each string literal to who asks, with the calls around it; for awk, before a program of one's own that has
#
#   begun(n)    a literal begins: hashes[n], quotes[n] are its marks, first[n] its line, callee[1…calls] what is called around it, from
#               outside, before and before2 the last two tokens
#   ended(n)    it has ended: text[n] as it is written, \001 for what is put in; rest is what follows on its line
#   token_read(token)   a token of code that begins no literal

function open_literal(token) {
    literals++
    hashes[literals] = token
    gsub(/"/, "", hashes[literals])
    quotes[literals] = substr(token, length(hashes[literals]) + 1)
    text[literals] = ""
    first[literals] = FNR
    begun(literals)
    within = 1
}

# The text of a literal, to its end, to the end of the line or to an interpolation.
function literal(    end, begin, i) {
    end = quotes[literals] hashes[literals]
    begin = "\\" hashes[literals] "("
    for (i = 1; i <= length(rest); i++) {
        if (substr(rest, i, length(begin)) == begin) {
            text[literals] = text[literals] substr(rest, 1, i - 1) "\001"
            rest = substr(rest, i + length(begin))
            callee[++calls] = "\\"
            within = 0
            return
        }
        if (substr(rest, i, length(end)) == end) {
            text[literals] = text[literals] substr(rest, 1, i - 1)
            rest = substr(rest, i + length(end))
            within = 0
            ended(literals)
            literals--
            before2 = before
            before = "\""
            return
        }
        if (hashes[literals] == "" && substr(rest, i, 1) == "\\") i++
    }
    text[literals] = text[literals] rest "\n"
    rest = ""
}

function code(    token) {
    while (match(rest, /[@A-Za-z0-9_.]+|\/\/|\/\*|#*"""|#*"|[^ \t]/)) {
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (token == "//") { rest = ""; return }
        if (token == "/*") { comment = 1; return }
        if (token ~ /"$/) { open_literal(token); return }
        token_read(token)
        if (token == "(") {
            sub(/^@/, "", before)
            callee[++calls] = before ~ /^[A-Za-z_.]/ ? before : ""
        } else if (token == ")" && calls > 0) {
            if (callee[calls--] == "\\") { within = 1; return }
        }
        before2 = before
        before = token
    }
    rest = ""
}

function between() {
    while (match(rest, /\/\*|\*\//)) {
        comment += substr(rest, RSTART, 2) == "/*" ? 1 : -1
        rest = substr(rest, RSTART + 2)
        if (comment == 0) return
    }
    rest = ""
}

FNR == 1 {
    if (calls || literals || comment) { print file ": literals, comments or calls are not closed" >"/dev/stderr"; exit 1 }
    before = before2 = ""
}

{
    file = FILENAME
    rest = $0
    while (rest != "") {
        if (comment) between()
        else if (within) literal()
        else code()
    }
}
