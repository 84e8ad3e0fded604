import Foundation

/// Letters that look like Latin ones: those of Cyrillic, Greek and Armenian that most fonts draw the same, and I, l, 1 and |, O and 0.
///
/// A part of Unicode's confusables (Unicode Technical Standard 39 §4, confusables.txt). Accents that look alike, letters of
/// other scripts, and pairs of letters that look like one are not among them: what proves who somebody is is the security code.
enum LookAlikes {
    /// The same for all names that look the same by these letters.
    static func key(of name: String) -> String {
        let plain = name.precomposedStringWithCompatibilityMapping
        // Looked up as they are written: В looks like a letter, в like none. The mark keeps it apart from other keys.
        return "~" + String(String.UnicodeScalarView(plain.unicodeScalars.map { latin[$0] ?? $0 })).lowercased()
    }

    private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs = [
            ("АВЕЅІЈКМНОРСТУХԌԚԜѴҮ", "ABES1JKMHOPCTYXGQWVY"), ("аеѕіјорсухһԁԛԝѵү", "aesijopcyxhdqwvy"),
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZH1KMNOPTYXCJ"), ("αγιкκνορυϲϳ", "ayikkvopucj"), ("ՕՏօսոհզցյ", "OSounhqgj"),
            ("Il|0", "111o"),
        ]
        let all = pairs.flatMap { zip($0.0.unicodeScalars, $0.1.unicodeScalars) }
        return Dictionary(all) { first, _ in first }
    }()
}
