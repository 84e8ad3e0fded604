/// Names that Parley gives by itself, in each language in which the program is there: nobody else may come under one of them.
enum ReservedNames {
    /// The test call.
    static let testCall = [Contact.testCallName, "Testanruf"]
    /// A contact that has no name yet.
    static let newContact = [Contact.placeholderName, "Neuer Kontakt"]
    /// Somebody who is no contact.
    static let unknown = [Contact.unknownName, "Unbekannter Kontakt"]
    /// All of them.
    static let all = testCall + newContact + unknown
}
