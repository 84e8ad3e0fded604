# The sentences for people outside of tr, for check-sentences; after literals.awk. Each: FILE<tab>LINE<tab>TEXT.

# Whether what stands here is no sentence that is out of place: the callees around it, from the innermost on.
function judged(    i, name) {
    if (callee[calls] ~ /(^|\.)tr$/ && (before == "(" || before2 before == "plural:")) return "tr"
    for (i = calls; i > 0; i--) {
        name = callee[i]
        if (name ~ /[lL]og(ger)?\.(trace|debug|info|notice|warning|error|critical|log)$/) return "log"
        if (name ~ /^(fatalError|precondition|preconditionFailure|assert|assertionFailure)$/) return "trap"
        if (name ~ /^(ArgumentHelp|Flag|Option|Argument|CommandConfiguration)$/) return "command"
        if (name == "page.add") return "scraper"
    }
    return ""
}

# Whether a name is given to what has none.
function standing_in() {
    return before == "?" && before2 == "?" || before2 before == "name:" && callee[calls] ~ /^(Contact|ContactItem|RequestItem)$/
}

function begun(n) {
    place[n] = judged()
    least[n] = standing_in() ? 1 : 3
}

function token_read(token) {}

function ended(n,    words, count, i, own) {
    own = text[n]
    gsub(/\\\n[ \t]*/, "", own)
    gsub(/[ \t\n]+/, " ", own)
    gsub(/^ | $/, "", own)
    count = 0
    words = own
    gsub(/\001/, " ", words)
    split(words, word, " ")
    for (i in word) if (word[i] ~ /[A-Za-z]/ && word[i] !~ /[_=\/<>{}]/) count++
    delete word
    if (least[n] == 1 && own !~ /^[A-Z][a-z ]/) least[n] = 3
    if (place[n] == "" && (own ~ /^([A-Z]|\342\200\234)/ || own ~ /^\001.*([.?!]|\342\200\246)$/) && count >= least[n] &&
        rest !~ /^\.utf8/ && own !~ /^(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA) /) {
        gsub(/\001/, "…", own)
        sub(/^Sources\//, "", file)
        print file "\t" first[n] "\t" own
    }
}
