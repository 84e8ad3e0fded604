import CGLib
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
}

/// The sentence in the person's language. Write a plain literal (no interpolation), so that it can be extracted.
public func tr(_ sentence: String) -> String {
    // gettext gives its own argument back when there is no translation, so the argument must live until it is copied.
    sentence.isEmpty ? "" : sentence.withCString { String(cString: gettext($0)) }
}

/// The singular or plural sentence for a count, in the person's language.
public func tr(_ singular: String, plural: String, count: Int) -> String {
    singular.withCString { singular in
        plural.withCString { plural in String(cString: ngettext(singular, plural, UInt(count.magnitude))) }
    }
}
