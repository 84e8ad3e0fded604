import CGLib
import Foundation
import Glibc

/// The catalogue of translated sentences.
public enum Translation {
    /// Binds a text domain to the folder that holds `<language>/LC_MESSAGES/<domain>.mo`, after taking the person's locale.
    public static func bind(domain: String, directory: String) {
        setlocale(LC_ALL, "")
        bindtextdomain(domain, directory)
        bind_textdomain_codeset(domain, "UTF-8")
        textdomain(domain)
    }

    /// Where the catalogues of this program lie: in `share/locale` beside the `bin` that it is installed in.
    public static var installedDirectory: String {
        guard let file = g_file_read_link("/proc/self/exe", nil) else { return "/usr/share/locale" }
        defer { g_free(file) }
        return String(cString: file).split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/share/locale"
    }

    /// How the person writes dates and times. Foundation takes no notice of the locale on Linux.
    public static var locale: Locale { locale(named: setlocale(LC_TIME, nil).map { String(cString: $0) } ?? "C") }

    /// The locale of this name of the C library's, such as `de_DE.UTF-8`.
    static func locale(named name: String) -> Locale {
        let language = String(name.prefix { $0 != "." && $0 != "@" })
        return ["C", "POSIX", ""].contains(language) ? .current : Locale(identifier: language)
    }

    /// The words with what stands for `%s`, or in another language's order for `%1$s`, `%2$s`. What is put in is not looked at again.
    public static func filled(_ words: String, _ insertions: [String]) -> String {
        var text = ""
        var rest = words[...]
        var next = 0
        while let mark = rest.firstIndex(of: "%") {
            text += rest[..<mark]
            rest = rest[mark...].dropFirst()
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let afterDigits = rest.dropFirst(digits.count)
            if digits.isEmpty, rest.first == "s" {
                text += insertions.indices.contains(next) ? insertions[next] : "%s"
                next += 1
                rest = rest.dropFirst()
            } else if let number = Int(digits), afterDigits.hasPrefix("$s"), insertions.indices.contains(number - 1) {
                text += insertions[number - 1]
                rest = afterDigits.dropFirst(2)
            } else {
                text += "%"
            }
        }
        return text + rest
    }
}

/// The sentence in the person's language. Write a plain literal (no interpolation), so that it can be extracted.
public func tr(_ sentence: String) -> String {
    // gettext gives its own argument back when there is no translation, so the argument must live until it is copied.
    sentence.isEmpty ? "" : sentence.withCString { String(cString: gettext($0)) }
}

/// The sentence in the person's language, with what is put in for `%s`; more than one are `%1$s`, `%2$s`, so that a translation can
/// change their order.
public func tr(
    _ sentence: String, _ insertion: some CustomStringConvertible, _ more: any CustomStringConvertible...
) -> String {
    Translation.filled(tr(sentence), [insertion.description] + more.map(\.description))
}

/// The singular or plural sentence for a count, in the person's language.
public func tr(
    _ singular: String, plural: String, count: Int, _ insertions: any CustomStringConvertible...
) -> String {
    let words = singular.withCString { singular in
        plural.withCString { plural in String(cString: ngettext(singular, plural, UInt(count.magnitude))) }
    }
    return Translation.filled(words, insertions.map(\.description))
}
