import Calling
import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ContactBookTests {
    private let ann = ContactID(rawValue: "a")
    private let bob = ContactID(rawValue: "b")

    @Test func `keeps contacts in the order in which they came`() {
        var book = ContactBook()
        book.introduce(bob, as: "Bob")
        book.introduce(ann, as: "Ann")
        book.update(bob) { $0.isConnected = true }
        #expect(book.contacts.map(\.name) == ["Bob", "Ann"])
        #expect(book.contacts.map(\.isConnected) == [true, false])
    }

    @Test func `tells contacts of the same name apart`() {
        var book = ContactBook()
        for (id, name) in [("a", "Ann"), ("b", "ANN"), ("c", "A\u{200B}nn"), ("d", "Ａｎｎ")] {
            book.introduce(ContactID(rawValue: id), as: name)
        }
        #expect(book.contacts.map(\.name) == ["Ann", "ANN (2)", "Ann (3)", "Ａｎｎ (4)"])
    }

    @Test(arguments: [
        ("Anna", "Аnnа"), ("Paypal", "РаураI"), ("Ian", "lan"), ("B0B", "ΒΟΒ"), ("Nina", "Νinа"), ("scope", "ѕсоре"),
    ])
    func `tells contacts apart whose letters only look the same`(name: String, other: String) {
        for (first, second) in [(name, other), (other, name)] {
            var book = ContactBook()
            book.introduce(ann, as: first)
            book.introduce(bob, as: second)
            #expect(book.contacts.map(\.name) == [first, second + " (2)"])
        }
    }

    @Test(arguments: [("Anna", "Анна"), ("Вова", "Boba"), ("Νίκος", "Nikos"), ("Lan", "Ian"), ("Mila", "Mira")])
    func `names that look different need no number`(name: String, other: String) {
        var book = ContactBook()
        book.introduce(ann, as: name)
        book.introduce(bob, as: other)
        #expect(book.contacts.map(\.name) == [name, other])
    }

    @Test func `a contact keeps its name until the person takes the new one`() {
        var book = ContactBook()
        #expect(book.introduce(ann, as: "Ann") == nil)
        #expect(book.introduce(ann, as: "Ann") == nil)
        #expect(book.introduce(ann, as: "Your bank") == "Your bank")
        #expect(book.contacts.map(\.name) == ["Ann"])
        #expect(book.contacts.map(\.offeredName) == ["Your bank"])
        // News of an offer that the person knows of is none.
        #expect(book.introduce(ann, as: "Anna") == nil)
        #expect(book.contacts.map(\.offeredName) == ["Anna"])
        book.takeName(of: ann)
        #expect(book.contacts.map(\.name) == ["Anna"])
        #expect(book.contacts.map(\.offeredName) == [nil])
        book.introduce(ann, as: "Ann")
        book.introduce(ann, as: "Anna")
        #expect(book.contacts.map(\.offeredName) == [nil])
    }

    @Test func `two contacts cannot trade names`() {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        book.introduce(bob, as: "Bob")
        book.introduce(ann, as: "Bob")
        book.introduce(bob, as: "Ann")
        #expect(book.contacts.map(\.name) == ["Ann", "Bob"])
        book.takeName(of: ann)
        #expect(book.contacts.map(\.name) == ["Bob (2)", "Bob"])
        book.takeName(of: bob)
        #expect(book.contacts.map(\.name) == ["Bob (2)", "Ann"])
    }

    @Test func `a name stays when another contact of the same name goes`() throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        book.introduce(bob, as: "Ann")
        // What tells them apart here is no change of the name that they announce.
        book.introduce(bob, as: "Ann")
        book.remove(ann)
        #expect(book.contacts.map(\.name) == ["Ann (2)"])
        #expect(book.contacts.map(\.offeredName) == [nil])
        #expect(try ContactBook(decoding: book.encoded()).contacts == book.contacts)
    }

    @Test func `nobody else is the test call`() {
        var book = ContactBook()
        book.introduce(ann, as: EchoPeer.displayName)
        book.markTestCall(bob, name: EchoPeer.displayName)
        #expect(book.contacts.map(\.name) == ["Test call (2)", "Test call"])
    }

    @Test(arguments: ReservedNames.all)
    func `nobody comes under a name that Parley gives, in any language`(name: String) {
        var book = ContactBook()
        book.introduce(ann, as: name)
        #expect(book.contacts.map(\.name) == [name + " (2)"])
    }

    @Test func `the names that Parley gives are known in each language it comes in`() throws {
        let file = Vectors.repository.appending(path: "po/LINGUAS")
        for language in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace) {
            let catalogue = try PortableCatalogue(String(language))
            #expect(ReservedNames.testCall.contains(catalogue.say(Contact.testCallName)))
            #expect(ReservedNames.newContact.contains(catalogue.say(Contact.placeholderName)))
            #expect(ReservedNames.unknown.contains(catalogue.say(Contact.unknownName)))
        }
    }

    @Test func `nobody is called like the placeholder`() {
        var book = ContactBook()
        book.introduce(ann, as: "new contact")
        book.update(bob) { _ in }
        #expect(book.contacts.map(\.name) == ["new contact (2)", "New contact"])
    }

    @Test func `names of an older list are cleaned and told apart`() throws {
        let older = """
            [{"connection":"a","name":"Ann","isConnected":true,"isTestCall":false,"calls":"yes"},
            {"connection":"b","name":"An\\u202en","isConnected":true,"isTestCall":false,"calls":"yes"},
            {"connection":"c","name":"\\u200b","isConnected":true,"isTestCall":false,"calls":"yes"}]
            """
        let book = try ContactBook(decoding: Array(older.utf8))
        #expect(book.contacts.map(\.name) == ["Ann", "Ann (2)", "New contact"])
    }

    @Test func `shows a placeholder until the name is known`() {
        var book = ContactBook()
        book.update(ann) { _ in }
        #expect(book.contacts.map(\.name) == ["New contact"])
    }

    @Test func `says who does not accept calls`() {
        var book = ContactBook()
        book.update(ann) { $0.calls = "no" }
        book.update(bob) { $0.calls = "always" }
        #expect(book.contacts.map(\.allowsCalls) == [false, true])
    }

    @Test func `reads what was written before contacts could be gone`() throws {
        let old = #"[{"connection":"a","name":"Ann","isConnected":true,"isTestCall":false,"calls":"yes"}]"#
        let book = try ContactBook(decoding: Array(old.utf8))
        var contact = Contact(id: ann, name: "Ann", isConnected: true)
        contact.ownName = "Ann"
        #expect(book.contacts == [contact])
    }

    @Test func `who is blocked is so after a restart too`() throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        book.introduce(bob, as: "Bob")
        book.update(ann) { $0.isBlocked = true }
        let read = try ContactBook(decoding: book.encoded())
        #expect(read.contacts.map(\.isBlocked) == [true, false])
    }

    @Test func `who cannot be called any more says why also after a restart`() throws {
        var book = ContactBook()
        book.update(ann) { $0.isGone = true }
        book.update(bob) {
            $0.fail(.agent(.relayUnusable(.badCertificate(.chainLength(5)))))
            $0.link = "simplex:/invitation"
        }
        let read = try ContactBook(decoding: book.encoded())
        #expect(read == book)
        #expect(
            read.contacts.map(\.trouble) == [
                .gone, .failed(.agent(.relayUnusable(.badCertificate(.chainLength(5)))), canRetry: true),
            ])
    }

    @Test func `a reason that an earlier Parley kept is told in its words, and one of a later Parley as such`() throws {
        let old = #"{"connection":"a","isConnected":false,"isTestCall":false,"calls":"yes","failure":"Too late."}"#
        let new =
            #"{"connection":"b","isConnected":false,"isTestCall":false,"calls":"yes","cause":{"error":{"x":{}}}}"#
        let book = try ContactBook(decoding: Array("[\(old),\(new)]".utf8))
        #expect(
            book.contacts.map(\.trouble) == [
                .failed(.kept("Too late."), canRetry: false), .failed(.unknown, canRetry: false),
            ])
        #expect(try ContactBook(decoding: book.encoded()) == book)
    }

    @Test func `a name given here stays, whatever the contact calls themselves, until it is taken back`() throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        try book.rename(ann, to: "  Mum\u{202E} ")
        #expect(book.contacts.map(\.name) == ["Mum"])
        #expect(book.contacts.map(\.ownName) == ["Ann"])
        #expect(book.contacts.map(\.isNamedHere) == [true])
        // Nothing new, although it is not the name here.
        #expect(book.introduce(ann, as: "Ann") == nil)
        #expect(book.contacts.map(\.offeredName) == [nil])
        #expect(book.introduce(ann, as: "Anna") == "Anna")
        #expect(book.contacts.map(\.name) == ["Mum"])
        #expect(book.contacts.map(\.ownName) == ["Anna"])
        #expect(book.introduce(ann, as: "Ann") == nil)
        #expect(book.contacts.map(\.offeredName) == [nil])
        book.introduce(ann, as: "Anna")
        let read = try ContactBook(decoding: book.encoded())
        #expect(read == book)
        try book.rename(ann, to: nil)
        #expect(book.contacts.map(\.name) == ["Anna"])
        #expect(book.contacts.map(\.isNamedHere) == [false])
        #expect(book.contacts.map(\.offeredName) == [nil])
    }

    @Test(arguments: ["Bob", "bob", "Воb", "Test call", "New contact"])
    func `a name that somebody has, or that looks like theirs, is not given`(name: String) throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        book.introduce(bob, as: "Bob")
        #expect(throws: AccountError.nameTaken(name)) { try book.rename(ann, to: name) }
        #expect(throws: AccountError.nameUnusable) { try book.rename(ann, to: " \u{200B}") }
        #expect(book.contacts.map(\.name) == ["Ann", "Bob"])
        try book.rename(ann, to: "ANN")
        #expect(book.contacts.map(\.name) == ["ANN", "Bob"])
        // Nor does anybody else get a name that was given.
        book.introduce(ContactID(rawValue: "c"), as: "ann")
        #expect(book.contacts.map(\.name) == ["ANN", "Bob", "ann (2)"])
    }

    @Test func `a contact is named before its profile has come`() throws {
        var book = ContactBook()
        book.update(ann) { _ in }
        try book.rename(ann, to: "Mum")
        #expect(book.introduce(ann, as: "Ann") == nil)
        #expect(book.contacts.map(\.name) == ["Mum"])
        #expect(book.contacts.map(\.offeredName) == [nil])
        try book.rename(ann, to: nil)
        #expect(book.contacts.map(\.name) == ["Ann"])
    }

    @Test func `a contact of an older list is renamed and goes back to its name`() throws {
        let old = #"[{"connection":"a","name":"Ann","isConnected":true,"isTestCall":false,"calls":"yes"}]"#
        var book = try ContactBook(decoding: Array(old.utf8))
        try book.rename(ann, to: "Mum")
        #expect(book.contacts.map(\.ownName) == ["Ann"])
        try book.rename(ann, to: nil)
        #expect(book.contacts.map(\.name) == ["Ann"])
    }

    @Test func `who is to be removed is out of sight, but the name stays theirs`() throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann")
        book.update(ann) { $0.isLeaving = true }
        book.introduce(bob, as: "Ann")
        #expect(book.contacts.map(\.name) == ["Ann (2)"])
        book.update(ann) { $0.isLeaving = nil }
        #expect(book.contacts.map(\.name) == ["Ann", "Ann (2)"])
    }

    @Test func `labels are read by an earlier and a later Parley`() throws {
        var book = ContactBook()
        book.update(ann) { $0.labels = [.suspectedSpam, .own("Work")] }
        #expect(try ContactBook(decoding: book.encoded()).contacts.map(\.labels) == [[.suspectedSpam, .own("Work")]])
    }

    @Test func `forgets a removed contact`() {
        var book = ContactBook()
        book.update(ann) { _ in }
        book.remove(ann)
        #expect(book[ann] == nil)
        #expect(book.contacts.isEmpty)
    }

    @Test func `reads what it wrote`() throws {
        var book = ContactBook()
        book.introduce(ann, as: "Ann “Ä” \u{1F642}")
        book.introduce(ann, as: "Anna")
        book.update(ann) { record in
            record.isConnected = true
            record.isTestCall = true
            record.calls = "always"
        }
        book.update(bob) { _ in }
        #expect(try ContactBook(decoding: book.encoded()) == book)
    }

    @Test func `reads a list from before links were kept`() throws {
        let text = #"[{"connection":"a","name":"Ann","isConnected":false,"isTestCall":false,"calls":"yes"}]"#
        let contacts = try ContactBook(decoding: Array(text.utf8)).contacts
        #expect(contacts.map(\.name) == ["Ann"])
        #expect(contacts.map(\.invitation) == [nil])
    }

    @Test func `the test call has no link to show`() {
        var book = ContactBook()
        book.update(ann) {
            $0.invitation = "link"
            $0.isTestCall = true
        }
        #expect(book.contacts.map(\.invitation) == [nil])
    }

    @Test(arguments: ["", "{}", "[{}]", "[1]", "\u{0}"]) func `refuses a damaged list`(_ text: String) {
        #expect(throws: AccountError.self) { try ContactBook(decoding: Array(text.utf8)) }
    }
}
