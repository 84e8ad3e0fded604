import Cryptography
import Signaling
import Synchronization
import TestSupport

@testable import Calling

/// Values with names for the tests of group calls.
enum GroupSamples {
    static let id = CallID(bytes: Array(repeating: 5, count: 16)) ?? .random()
    static let ada = ContactID(rawValue: "Ada")
    static let bo = ContactID(rawValue: "Bo")
    static var name: MemberName { name("Kim") }

    static func name(_ text: String) -> MemberName {
        guard let name = MemberName(parsing: text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    static func number(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }

    static func secret(_ byte: UInt8) -> SecretBytes { SecretBytes(Array(repeating: byte, count: 32)) }

    static func link(_ text: String = "simplex:/1") -> GroupLink {
        guard let link = GroupLink(parsing: text) else { preconditionFailure("\(text) is no link") }
        return link
    }
}

/// Bytes that follow from a seed, for machines that want random ones.
final class SeededSource: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
