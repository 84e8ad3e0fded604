import BaseKit
import Foundation
import Testing

@testable import Wording

@Suite(.timeLimit(.minutes(5))) struct TranslationTests {
    @Test func `a sentence that nobody translated is itself`() {
        #expect(tr("A sentence nobody translated") == "A sentence nobody translated")
        #expect(tr("") == "")
    }

    @Test(arguments: [
        ("de_DE.UTF-8", "de_DE"), ("de.UTF-8", "de"), ("ca_ES@valencia", "ca_ES"),
        ("C.UTF-8", Locale.current.identifier), ("POSIX", Locale.current.identifier),
    ])
    func `dates are written as the name of the locale says`(name: String, identifier: String) {
        #expect(Translation.locale(named: name).identifier == identifier)
    }

    @Test func `a count chooses between singular and plural`() {
        #expect(tr("%s second", plural: "%s seconds", count: 2, 2) == "2 seconds")
        #expect(tr("%s second", plural: "%s seconds", count: 1, 1) == "1 second")
        #expect(tr("one", plural: "many", count: 0) == "many")
    }

    @Test func `what is put in stands in its order, or where its number says`() {
        #expect(tr("%s can't be reached", "host") == "host can't be reached")
        #expect(tr("%1$s: %2$s", "a", 2) == "a: 2")
        #expect(tr("%2$s, %1$s, %2$s", "a", "b") == "b, a, b")
    }

    @Test func `what is put in is not looked at again`() {
        #expect(tr("%1$s and %2$s", "%2$s", "%s") == "%2$s and %s")
    }

    @Test(arguments: ["100 %", "%", "%d", "%1$d", "%9$s", "%1$", "%s and %s"])
    func `marks without anything to put in stay as they are`(words: String) {
        #expect(Translation.filled(words, []) == words)
    }

    @Test func `an error without words of its own is told as the log has it, also as a cause`() {
        struct Odd: Error {}
        #expect(sentence(of: Odd()) == "Odd()")
        #expect(sentence(of: Cause(Odd())) == "Odd()")
    }
}
