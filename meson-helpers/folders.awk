# Reads the Swift of all targets, named as Sources/TARGET/FOLDER/…, and prints what folders use of other folders of their target:
# TARGET<tab>FOLDER<tab>THE OTHER<tab>NAME<tab>FILE. meson-helpers/check-folders says what counts as a use.
#
# Members are known by names: .name is static or a case, init(label an initialiser by its first label, without one init(_ or init(.

function fail(text) { print text >"/dev/stderr"; broken = 1 }

# One word, `dotted` when it follows a point.
function word(text, dotted,    name) {
    if (text ~ /^[0-9]/) return
    if (!dotted && text ~ /^(struct|class|enum|actor|protocol|extension|typealias|associatedtype)$/) {
        name = match(rest, /^[ \t]+\[/) ? "Array" : following("[A-Za-z0-9_.]*")
        if (name != "" && name !~ /^(func|var|let|subscript|init|final|override)$/) return declaration(text, name)
    }
    if (!dotted && (text == "func" && rest ~ /^[ \t]+`?[A-Za-z_][A-Za-z0-9_]*`?</ ||
        text ~ /^(init|subscript)$/ && rest ~ /^[?!]?</)) generic = "function"
    if (!dotted && text == "import" && depth == 0) {
        imports[target, following("[A-Za-z0-9_]*")] = 1
        rest = ""
        return
    }
    if (!dotted && text == "init" && typed[depth]) {
        initialiser = 1
        initialiser_hidden = hidden
        initialiser_open = open
    }
    if (!dotted && text == "case" && typed[depth]) cases(rest)
    if (!dotted && text ~ /^(func|var|let)$/) variable(text)
    modifier(text)
    if (generic != "" && angle == 1 && fresh) {
        # A parameter of a generic type or function.
        if (generic == "function") inside[FILENAME, text] = 1
        else nested[target, generic, text] = 1
        fresh = 0
        return
    }
    if (made != "") argument(rest ~ /^:/ ? text : "_")
    if (labels) label(text)
    if (text ~ /^[A-Z]/) {
        used[FILENAME, scope, text, dotted ? base : ""] = 1
        if (rest ~ /^\(/) making = text == "Self" ? last(scope) : text
    } else if (dotted) {
        if (text == "init" && rest ~ /^\(/) making = base ~ /^[sS]elf$/ ? last(scope) : base ~ /^[A-Z]/ ? base : ""
        else if (base == "self") named[FILENAME, last(scope), text] = 1
        else if (base == "Self") named[FILENAME, last(scope), "." text] = 1
        else if (base ~ /^[A-Z]/) named[FILENAME, base, "." text] = 1
        else if (base != "super") named[FILENAME, "", text] = 1
    } else {
        # Labels and what closures and loops are given.
        if (rest ~ /^:/ || rest ~ /^(,[ \t]*[a-z_][A-Za-z0-9_]*)*\)?[ \t]+((async|throws)[ \t]+)*(->[^{]*)?in([ \t]|$)/)
            taken[FILENAME, text] = 1
        bare[FILENAME, last(scope), text] = 1
    }
}

# The name that follows on the line.
function following(more,    name) {
    if (!match(rest, "^[ \t]+[A-Za-z_]" more)) return ""
    name = substr(rest, 1, RLENGTH)
    sub(/^[ \t]+/, "", name)
    return name
}

# What stands before a declaration holds for it.
function modifier(text) {
    if (text ~ /^(fileprivate|private)$/) hidden = hidden || rest !~ /^\(set\)/
    else if (text ~ /^(public|package|open)$/) open = 1
    else if (text ~ /^(static|class)$/) static = 1
    else if (text !~ /^(final|indirect|internal|override|required|convenience|dynamic|lazy|weak|unowned|nonisolated|unsafe|set)$/ &&
        text !~ /^(mutating|nonmutating|consuming|borrowing)$/) hidden = open = static = 0
}

# A function, variable or constant is declared, maybe within a function; its name follows.
function variable(kind,    name, list, parts, i) {
    if (match(rest, /^[ \t]*\([^)=]*\)/)) {
        list = substr(rest, RSTART, RLENGTH)
        gsub(/[^A-Za-z0-9_]+/, " ", list)
        for (i = split(list, parts, " "); i > 0; i--) taken[FILENAME, parts[i]] = 1
        return
    }
    name = following("[A-Za-z0-9_]*")
    if (name == "" || name ~ /^(func|var|let)$/) return
    taken[FILENAME, name] = 1
    if (!typed[depth]) {
        if (depth == 0 && !hidden) global[target, name, folder] = 1
        return
    }
    member(name)
    if (folder != "" || kind == "func") return
    # The types of a variable, as it says or as the initialiser does that is called.
    match(rest, /[A-Za-z0-9_]+/)
    list = substr(rest, RSTART + RLENGTH)
    if (list ~ /^[ \t]*:/) sub(/[={].*/, "", list)
    else if (match(list, /^[ \t]*=[ \t]*[A-Z][A-Za-z0-9_]*\(/)) list = substr(list, 1, RLENGTH)
    else return
    gsub(/[^A-Za-z0-9_]+/, " ", list)
    types[target, last(scope), static ? "." name : name] = list
}

# The cases of an enumeration on a line.
function cases(text,    parts, i) {
    sub(/\/\/.*/, "", text)
    while (gsub(/\([^()]*\)/, "", text)) continue
    sub(/\(.*/, "", text)
    open = static = 1
    for (i = split(text, parts, ","); i > 0; i--)
        if (match(parts[i], /[A-Za-z_][A-Za-z0-9_]*/)) member(substr(parts[i], RSTART, RLENGTH))
    open = static = 0
    more_cases = text ~ /,[ \t]*$/
}

# The first label of an initialiser that is declared; none when it takes nothing.
function label(name) {
    labels = 0
    hidden = initialiser_hidden
    open = initialiser_open
    static = 0
    member("init(" name)
    hidden = open = 0
}

# The first label of an initialiser that is called.
function argument(name) {
    named[FILENAME, made, "init(" name] = 1
    made = ""
}

# What a tuple calls its parts, as far as it is on the line: any value may be asked for that, too.
function tuple(text) {
    sub(/\).*/, "", text)
    while (match(text, /[a-z_][A-Za-z0-9_]*:/)) {
        has_name[target, substr(text, RSTART, RLENGTH - 1), folder, "", ""] = 1
        shows["", substr(text, RSTART, RLENGTH - 1), target] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}

function member(name,    plain) {
    plain = name
    if (static) name = "." name
    if (hidden || veiled[depth]) {
        here[FILENAME, last(scope), name] = here[FILENAME, "", plain] = 1
        return
    }
    has[target, last(scope), name, folder] = 1
    if (name !~ /^init\(/) has_name[target, plain, folder, last(scope), name] = 1
    if (open || wide[depth]) shows[last(scope), name, target] = shows["", plain, target] = 1
}

function declaration(kind, name) {
    pending_hidden = hidden
    pending_open = kind == "protocol" || kind == "extension" && open
    if (kind == "extension") pending = name
    else {
        if (scope != "") nested[target, last(scope), name] = 1
        else if (depth > 0 || hidden) inside[FILENAME, name] = 1
        else declared[target, name, folder] = 1
        own[name] = owns[target, name, folder] = 1
        # The name itself is no use of another type.
        sub(/^[ \t]+[A-Za-z0-9_]+/, "", rest)
        if (kind !~ /^(typealias|associatedtype)$/) pending = name
        generic = rest ~ /^</ ? name : ""
    }
    hidden = open = static = 0
}

function last(path,    parts) { return parts[split(path, parts, ".")] }

function open_brace() {
    depth++
    outer[depth] = scope
    typed[depth] = pending != ""
    veiled[depth] = depth > 1 && veiled[depth - 1] || typed[depth] && pending_hidden
    wide[depth] = typed[depth] && pending_open
    if (typed[depth]) scope = scope == "" ? pending : scope "." pending
    pending = ""
}

function close_brace() {
    if (depth < 1) return fail(FILENAME ":" FNR ": a brace closes that did not open")
    scope = outer[depth--]
}

# Code: until the line ends or a literal begins.
function code(    token) {
    while (match(rest, /[A-Za-z0-9_]+|`[^`]*`|\/\/|\/\*|#*"""|#*"|\.\.\.|\.\.<|->|[^ \t]/)) {
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (token == "//") { rest = ""; return }
        if (token == "/*") { comment = 1; return }
        if (token ~ /^[A-Za-z0-9_]/) {
            word(token, point)
            point = 0
            before = former = token
            continue
        }
        if (made != "") argument(token == ")" ? "" : "_")
        if (token == "(" && making != "") made = making
        making = ""
        if (labels) label("")
        if (token == "(" && former ~ /^(->|[:=[<])$/) tuple(rest)
        former = token
        if (initialiser && token == "(") { labels = 1; initialiser = 0 }
        # What a member is asked of: a word, with ? or ! behind it, or a point for what is no word.
        if (token == ".") base = before == "" ? "." : before
        point = token == "."
        if (token !~ /^[?!]$/) before = ""
        if (token ~ /"$/) { open_literal(token); return }
        if (token == "{") open_brace()
        else if (token == "}") close_brace()
        else if (token == "(" && literals > 0) round[literals]++
        else if (token == ")" && literals > 0 && --round[literals] == 0) { text = 1; return }
        # Of generic parameters, what stands before the colon.
        if (token == "<" && generic != "") { angle++; fresh = 1 }
        else if (token == ">" && angle > 0) { if (--angle == 0) generic = "" }
        else if (token == "," && angle == 1) fresh = 1
    }
    rest = ""
}

function open_literal(token) {
    literals++
    quotes[literals] = token ~ /"""$/ ? "\"\"\"" : "\""
    hashes[literals] = substr(token, 1, length(token) - length(quotes[literals]))
    text = 1
}

# The text of a literal: until it ends or an interpolation begins.
function literal(    end, begin, i) {
    end = quotes[literals] hashes[literals]
    begin = "\\" hashes[literals] "("
    for (i = 1; i <= length(rest); i++) {
        if (substr(rest, i, length(begin)) == begin) {
            rest = substr(rest, i + length(begin))
            round[literals] = 1
            text = 0
            return
        }
        if (substr(rest, i, length(end)) == end) {
            rest = substr(rest, i + length(end))
            literals--
            text = 0
            return
        }
        if (hashes[literals] == "" && substr(rest, i, 1) == "\\") i++
    }
    rest = ""
}

# A comment between marks; they nest.
function between() {
    while (match(rest, /\/\*|\*\//)) {
        comment += substr(rest, RSTART, 2) == "/*" ? 1 : -1
        rest = substr(rest, RSTART + 2)
        if (comment == 0) return
    }
    rest = ""
}

function finish() {
    if (file != "" && (depth || literals || comment)) fail(file ": braces, literals or comments are not closed")
    depth = literals = comment = text = angle = point = hidden = open = static = initialiser = labels = more_cases = 0
    scope = pending = generic = before = former = making = made = ""
}

FNR == 1 {
    finish()
    file = FILENAME
    count = split(FILENAME, parts, "/")
    target = parts[2]
    folder = count > 3 ? parts[3] : ""
    target_of[FILENAME] = target
    folder_of[FILENAME] = folder
    name_of[FILENAME] = parts[count]
    targets[target] = 1
}

{
    rest = $0
    if (more_cases) cases(rest)
    while (rest != "") {
        if (comment) between()
        else if (text) literal()
        else code()
    }
    point = 0
}

# Notes what a target imports, also through others.
function reach(from, target,    other) {
    reaches[from, target] = 1
    for (other in targets) if ((target, other) in imports && !((from, other) in reaches)) reach(from, other)
}

function uses(file, other, name) {
    if (folder_of[file] == "" || other == "" || other == folder_of[file]) return
    print target_of[file] "\t" folder_of[file] "\t" other "\t" name "\t" name_of[file]
}

# A type is named; before it stands what it is asked of.
function uses_type(file, scope, name, before,    target, around, i) {
    target = target_of[file]
    if (places[target, name] != 1 || (file, name) in inside) return
    # A.B is the top-level B only when A is this module.
    if (before != "" && (before != target || places[target, target])) return
    for (i = split(scope, around, "."); i > 0; i--) if ((target, around[i], name) in nested) return
    uses(file, place[target, name], name)
}

# A member is named, of a type or, where type is empty, of a value.
function uses_member(file, type, name,    target, other, found, list, i) {
    target = target_of[file]
    if (!((target, type, name) in homes) || homes[target, type, name] > 1 || (type, name) in foreign) return
    if ((file, type, name) in here || (file, type) in inside) return
    for (other in targets)
        if (other != target && (type, name, other) in shows && (type != "" || (target, other) in imports)) return
    found = home[target, type, name]
    if (type == "") {
        # What types have by themselves is too often called alike, also outside of what is read here.
        if (found == "" || (target, name) in native) return
        type = owner[target, name]
        name = full[target, name]
    }
    if (name ~ /^init\(/) {
        # Without a word of it there is the initialiser of all properties; of types from elsewhere nothing is known.
        if ((target, type, substr(name, 6)) in homes || name ~ /\(_?$/ && !(type in own)) return
        return uses(file, found, type substr(name, 5) (name ~ /\($/ ? ")" : ":)"))
    }
    if (found != "") return uses(file, found, type (name ~ /^\./ ? "" : ".") name)
    for (i = split(types[target, type, name], list, " "); i > 0; i--)
        if (places[target, list[i]] == 1) uses(file, place[target, list[i]], type (name ~ /^\./ ? "" : ".") name)
}

END {
    finish()
    if (broken) exit 1
    for (key in declared) {
        split(key, part, SUBSEP)
        places[part[1], part[2]]++
        place[part[1], part[2]] = part[3]
    }
    for (key in used) {
        split(key, part, SUBSEP)
        uses_type(part[1], part[2], part[3], part[4])
    }
    for (key in has) {
        split(key, part, SUBSEP)
        homes[part[1], part[2], part[3]]++
        home[part[1], part[2], part[3]] = part[4]
    }
    for (key in has_name) {
        split(key, part, SUBSEP)
        if (!((part[1], part[2], part[3]) in counted)) homes[part[1], "", part[2]]++
        counted[part[1], part[2], part[3]] = 1
        home[part[1], "", part[2]] = part[3]
        if (part[4] == "" || (part[1], part[4], part[3]) in owns) native[part[1], part[2]] = 1
        if (owner[part[1], part[2]] == "" || part[4] < owner[part[1], part[2]]) {
            owner[part[1], part[2]] = part[4]
            full[part[1], part[2]] = part[5]
        }
    }
    # What is named where no target has it that is known there is of the standard library or a package.
    for (target in targets) reach(target, target)
    for (key in named) {
        split(key, part, SUBSEP)
        target = target_of[part[1]]
        if ((part[2], part[3]) in foreign || (target, part[2], part[3]) in homes || (part[1], part[2], part[3]) in here) continue
        known = 0
        for (other in targets) if ((target, other) in reaches && (part[2], part[3], other) in shows) known = 1
        if (!known) foreign[part[2], part[3]] = 1
    }
    for (key in named) {
        split(key, part, SUBSEP)
        uses_member(part[1], part[2], part[3])
    }
    for (key in global) {
        split(key, part, SUBSEP)
        globals[part[1], part[2]]++
        globe[part[1], part[2]] = part[3]
    }
    for (key in bare) {
        split(key, part, SUBSEP)
        if ((part[1], part[3]) in taken) continue
        if (part[2] != "") uses_member(part[1], part[2], part[3])
        target = target_of[part[1]]
        if (globals[target, part[3]] == 1 && !((target, "", part[3]) in homes)) uses(part[1], globe[target, part[3]], part[3])
    }
}
