# Reads PO files and prints each message in a line, as it is written there, without the quotes:
# FILES<tab>COMMENT<tab>FLAGS<tab>CONTEXT<tab>SENTENCE<tab>PLURAL<tab>TRANSLATION…
# The header is left out, and so is what is obsolete.

function finish(    i, line) {
    if (part["msgid"] != "") {
        line = files "\t" comment "\t" flags "\t" part["msgctxt"] "\t" part["msgid"] "\t" part["msgid_plural"]
        if ("msgstr" in part) line = line "\t" part["msgstr"]
        for (i = 0; "msgstr[" i "]" in part; i++) line = line "\t" part["msgstr[" i "]"]
        print line
    }
    delete part
    files = comment = flags = keyword = ""
}

function add(text) {
    sub(/^"/, "", text)
    sub(/"$/, "", text)
    part[keyword] = part[keyword] text
}

/^#~/ { next }
/^#/ && keyword != "" { finish() }
/^#:/ { files = files (files == "" ? "" : " ") substr($0, 4); next }
/^#\./ { comment = comment (comment == "" ? "" : " ") substr($0, 4); next }
/^#,/ { flags = flags substr($0, 3); next }
/^#/ { next }
/^(msgctxt|msgid)[ \t]/ && keyword ~ /^msgstr/ { finish() }
/^msg/ {
    keyword = $1
    sub(/^[^ \t]+[ \t]+/, "")
    add($0)
    next
}
/^"/ { add($0) }
END { finish() }
