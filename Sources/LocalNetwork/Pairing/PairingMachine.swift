import Cryptography

/// How two people in one network become contacts without any server: their programs agree on a key, both show the same short code, and
/// only when both people have said that the codes are equal does one hand the other a link, sealed with that key.
///
/// Who sits in between has to agree on a key with each of them. The one who begins tells the hash of the key first and the key only when
/// the other one's has come (as in ZRTP, RFC 6189 §4.4.1.1, and in the numeric comparison of Bluetooth); so nobody can try keys until two
/// codes are equal, and one attempt succeeds once in a million. The keys are used once.
///
/// A value: bytes and presses go in, what is to be done comes out.
struct PairingMachine: Sendable {
    /// Which end this is.
    enum Role: Sendable { case beginning, asked }

    /// What is to be done next.
    enum Action: Equatable, Sendable {
        case send([UInt8])
        /// Show the person the code, and who the other one claims to be; then ``PairingMachine/confirm()`` or ``PairingMachine/refuse()``.
        case compare(code: String, name: String)
        /// Make a link for one person; then ``PairingMachine/give(link:)``.
        case makeLink
        /// Open this link; then ``PairingMachine/opened()``.
        case open(link: String)
        /// It is over: the other one has opened the link, or knows that it was opened here.
        case finish
        /// It is over, for this reason.
        case fail(PairingFailure)
    }

    private enum State: Sendable {
        case idle
        /// The hello is out.
        case awaitingAnswer
        case awaitingReveal(commitment: [UInt8])
        case comparing(Secrets, here: Bool, there: Bool)
        case makingLink(Secrets)
        case awaitingOpened(Secrets)
        case awaitingLink(Secrets)
        case opening(Secrets)
        case over
    }

    private let role: Role
    private let name: String
    private let key: X25519.PrivateKey
    private var state = State.idle
    private var transcript: [UInt8] = Array("Parley nearby 1".utf8)
    private var theirName = ""

    /// One meeting.
    /// - Parameters:
    ///   - name: what the other one sees.
    ///   - key: used for this meeting only.
    init(_ role: Role, name: String, key: X25519.PrivateKey = X25519.PrivateKey()) {
        (self.role, self.name, self.key) = (role, name, key)
    }

    /// Whether there is nothing more to come.
    var isOver: Bool { if case .over = state { true } else { false } }

    /// The connection is there.
    mutating func begin() -> [Action] {
        guard role == .beginning, case .idle = state else { return [] }
        state = .awaitingAnswer
        return [send(.hello(commitment: Self.commitment(key.publicKey.rawRepresentation), name: name))]
    }

    /// A whole message came.
    mutating func receive(_ bytes: [UInt8]) -> [Action] {
        if case .over = state { return [] }
        guard let message = PairingMessage(decoding: bytes) else { return fail(.malformed) }
        switch (state, message) {
        case (_, .refusal): return fail(.refusedThere, tells: false)
        case (.idle, .hello(let commitment, let name)) where role == .asked:
            note(message)
            theirName = name
            state = .awaitingReveal(commitment: commitment)
            return [send(.answer(key: key.publicKey.rawRepresentation, name: self.name))]
        case (.awaitingAnswer, .answer(let theirs, let name)):
            note(message)
            theirName = name
            let reveal = send(.reveal(key: key.publicKey.rawRepresentation))
            return agree(theirs).map { [reveal] + $0 } ?? fail(.malformed)
        case (.awaitingReveal(let commitment), .reveal(let theirs)):
            guard Self.commitment(theirs) == commitment else { return fail(.commitmentBroken) }
            note(message)
            return agree(theirs) ?? fail(.malformed)
        case (.comparing(var secrets, let here, false), .sealed(let sealed)):
            guard secrets.open(sealed) == .confirmed else { return fail(.malformed) }
            state = .comparing(secrets, here: here, there: true)
            return goOn()
        case (.awaitingLink(var secrets), .sealed(let sealed)):
            guard case .link(let link)? = secrets.open(sealed) else { return fail(.malformed) }
            state = .opening(secrets)
            return [.open(link: link)]
        case (.awaitingOpened(var secrets), .sealed(let sealed)):
            guard secrets.open(sealed) == .opened else { return fail(.malformed) }
            state = .over
            return [.finish]
        default: return fail(.malformed)
        }
    }

    /// The person says that both codes are equal.
    mutating func confirm() -> [Action] {
        guard case .comparing(var secrets, false, let there) = state else { return [] }
        let message = PairingMessage.sealed(secrets.seal(.confirmed)).encoded()
        state = .comparing(secrets, here: true, there: there)
        return [.send(message)] + goOn()
    }

    /// The person says that they are not, or does not want to go on.
    mutating func refuse() -> [Action] { fail(.refusedHere) }

    /// The link that ``Action/makeLink`` asked for.
    mutating func give(link: String) -> [Action] {
        guard case .makingLink(var secrets) = state else { return [] }
        let message = PairingMessage.sealed(secrets.seal(.link(link))).encoded()
        guard message.count <= PairingMessage.maximumCount else { return fail(.malformed) }
        state = .awaitingOpened(secrets)
        return [.send(message)]
    }

    /// The link of ``Action/open(link:)`` has been opened.
    mutating func opened() -> [Action] {
        guard case .opening(var secrets) = state else { return [] }
        let message = PairingMessage.sealed(secrets.seal(.opened)).encoded()
        state = .over
        return [.send(message), .finish]
    }

    /// The connection has ended, or it took too long.
    mutating func lost() -> [Action] { fail(.lost, tells: false) }

    private mutating func goOn() -> [Action] {
        guard case .comparing(let secrets, true, true) = state else { return [] }
        state = role == .beginning ? .makingLink(secrets) : .awaitingLink(secrets)
        return role == .beginning ? [.makeLink] : []
    }

    private mutating func agree(_ theirs: [UInt8]) -> [Action]? {
        guard let other = try? X25519.PublicKey(rawRepresentation: theirs),
            let shared = try? key.sharedSecret(with: other)
        else {
            return nil
        }
        let secrets = Secrets(shared: shared, transcript: Digest.sha256(transcript), isBeginning: role == .beginning)
        state = .comparing(secrets, here: false, there: false)
        return [.compare(code: secrets.code, name: theirName)]
    }

    private mutating func send(_ message: PairingMessage) -> Action {
        note(message)
        return .send(message.encoded())
    }

    /// The codes depend on all that was said, with its lengths.
    private mutating func note(_ message: PairingMessage) {
        let bytes = message.encoded()
        transcript += [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    private mutating func fail(_ failure: PairingFailure, tells: Bool = true) -> [Action] {
        if case .over = state { return [] }
        state = .over
        return (tells ? [.send(PairingMessage.refusal.encoded())] : []) + [.fail(failure)]
    }

    private static func commitment(_ key: [UInt8]) -> [UInt8] {
        Digest.sha256(Array("Parley nearby commitment 1".utf8) + key)
    }
}

/// Why two people nearby did not become contacts.
public enum PairingFailure: Error, Equatable, Sendable {
    /// The person here said that the codes differ, or did not want to go on.
    case refusedHere
    /// The other one did.
    case refusedThere
    /// The connection ended.
    case lost
    /// What came could not be understood, or was not sealed by who showed the code.
    case malformed
    /// The key is not the one whose hash was told: somebody may sit in between.
    case commitmentBroken
}

/// What both ends know once they have agreed on a key.
private struct Secrets: Sendable {
    /// Six digits in two groups.
    let code: String
    private let sending: SecretBytes
    private let receiving: SecretBytes
    private var sent: UInt8 = 0
    private var received: UInt8 = 0

    init(shared: SecretBytes, transcript: [UInt8], isBeginning: Bool) {
        func derive(_ what: String, _ count: Int) -> SecretBytes {
            HKDF.sha512(salt: transcript, inputKey: shared, info: Array("Parley nearby 1 \(what)".utf8), count: count)
        }
        let number = derive("code", 8).bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(String(number + 1_000_000).dropFirst())
        code = "\(digits.prefix(3)) \(digits.suffix(3))"
        let (forward, backward) = (derive("who begins", 32), derive("who is asked", 32))
        (sending, receiving) = isBeginning ? (forward, backward) : (backward, forward)
    }

    /// Each key seals few messages, each under a number of its own.
    mutating func seal(_ content: PairingContent) -> [UInt8] {
        defer { sent += 1 }
        // With a key of 32 bytes and an IV it does not fail.
        let sealed = try? AESGCM.seal(content.encoded(), key: sending, iv: Self.iv(sent), authenticatedData: [])
        return sealed.map { $0.ciphertext + $0.tag } ?? []
    }

    mutating func open(_ bytes: [UInt8]) -> PairingContent? {
        guard bytes.count > AESGCM.tagCount, received < .max else { return nil }
        let (text, tag) = (Array(bytes.dropLast(AESGCM.tagCount)), Array(bytes.suffix(AESGCM.tagCount)))
        let opened = try? AESGCM.open(text, key: receiving, iv: Self.iv(received), authenticatedData: [], tag: tag)
        received += 1
        return opened.flatMap { PairingContent(decoding: $0) }
    }

    private static func iv(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 11) + [number] }
}
