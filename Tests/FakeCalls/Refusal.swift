/// A pretended account's reason not to do something, in the words that a person reads.
struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
