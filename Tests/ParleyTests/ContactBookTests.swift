import Calling
import Testing

@testable import Parley

struct ContactBookTests {
    private let ann = ContactID(rawValue: "a")
    private let bob = ContactID(rawValue: "b")

    @Test func keepsContactsInTheOrderInWhichTheyCame() {
        var book = ContactBook()
        book.update(bob) { $0.name = "Bob" }
        book.update(ann) { $0.name = "Ann" }
        book.update(bob) { $0.isConnected = true }
        #expect(book.contacts.map(\.name) == ["Bob", "Ann"])
        #expect(book.contacts.map(\.isConnected) == [true, false])
    }

    @Test func tellsContactsOfTheSameNameApart() {
        var book = ContactBook()
        for id in ["a", "b", "c"] { book.update(ContactID(rawValue: id)) { $0.name = "Ann" } }
        #expect(book.contacts.map(\.name) == ["Ann", "Ann (2)", "Ann (3)"])
    }

    @Test func showsAPlaceholderUntilTheNameIsKnown() {
        var book = ContactBook()
        book.update(ann) { _ in }
        #expect(book.contacts.map(\.name) == ["New contact"])
    }

    @Test func saysWhoDoesNotAcceptCalls() {
        var book = ContactBook()
        book.update(ann) { $0.calls = "no" }
        book.update(bob) { $0.calls = "always" }
        #expect(book.contacts.map(\.allowsCalls) == [false, true])
    }

    @Test func forgetsARemovedContact() {
        var book = ContactBook()
        book.update(ann) { _ in }
        book.remove(ann)
        #expect(book[ann] == nil)
        #expect(book.contacts.isEmpty)
    }

    @Test func readsWhatItWrote() throws {
        var book = ContactBook()
        book.update(ann) { record in
            record.name = "Ann “Ä” \u{1F642}"
            record.isConnected = true
            record.isTestCall = true
            record.calls = "always"
        }
        book.update(bob) { _ in }
        #expect(try ContactBook(decoding: book.encoded()) == book)
    }

    @Test(arguments: ["", "{}", "[{}]", "[1]", "\u{0}"]) func refusesADamagedList(_ text: String) {
        #expect(throws: AccountError.self) { try ContactBook(decoding: Array(text.utf8)) }
    }
}
