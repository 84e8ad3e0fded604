/// One way in for bytes from outside: a parser, or a machine that is fed with a script made of the bytes.
///
/// The same targets are run by the fuzzer, which makes up inputs, and by the ordinary tests, which replay the corpus.
struct FuzzTarget: Sendable {
    /// The name of its folder in the corpus.
    let name: String
    /// Takes any bytes. What is refused is no fault; throws `FuzzViolation` when something that always holds does not.
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = smp + transport + relay + rows + agent + signaling + calling + media + sfu
}

/// Something that should hold for every input did not.
struct FuzzViolation: Error, CustomStringConvertible {
    let description: String
}

/// Throws `FuzzViolation` unless the condition holds.
func require(_ condition: @autoclosure () throws -> Bool, _ description: String) throws {
    guard try condition() else { throw FuzzViolation(description: description) }
}

/// The value, or a `FuzzViolation` that says what should have been possible.
func mustSucceed<Value>(_ description: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw FuzzViolation(description: "\(description): \(error)")
    }
}

/// Reads with `read`; if that works, `write` must write it and the result must read as the same value again.
///
/// - Parameter normalises: whether writing may leave out what the value's own version has no form for. What was written
///   must then stay as it is.
func roundTrip<Value: Equatable, Form>(
    _ form: Form, _ description: String, normalises: Bool = false, read: (Form) throws -> Value,
    write: (Value) throws -> Form
) throws {
    guard var value = try? read(form) else { return }
    for isFirst in [true, false] {
        let written = try mustSucceed("\(description) is read and can't be written") { try write(value) }
        let again = try mustSucceed("\(description) is written and can't be read") { try read(written) }
        try require(
            (isFirst && normalises) || again == value, "\(description) is another one after writing and reading")
        value = again
    }
}

/// Takes an input apart, front first; an input that ends gives zeros.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0 to `count` - 1.
    mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

    /// Up to `count` bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func word16() -> Int { Int(byte()) << 8 | Int(byte()) }

    mutating func tail() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
