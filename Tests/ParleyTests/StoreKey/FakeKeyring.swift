import Cryptography
import Keyring
import Synchronization

@testable import Parley

/// A keyring that does what a test tells it.
final class FakeKeyring: SecretKeeping {
    struct Content {
        var secrets: [String: SecretBytes] = [:]
        var failure: KeyringError?
        /// What it gives back instead of what it keeps.
        var forgery: SecretBytes?
        /// Whether the person was or would have been asked, for each request.
        var mayAsk: [Bool] = []
        /// The secrets that somebody has waited for.
        var waitedFor: [String] = []
    }

    let content: Mutex<Content>

    init(failure: KeyringError? = nil) { content = Mutex(Content(failure: failure)) }

    var count: Int { content.withLock { $0.secrets.count } }
    var only: SecretBytes? { content.withLock { $0.secrets.count == 1 ? $0.secrets.values.first : nil } }

    func set(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

    func secret(named name: String, mayAsk: Bool) async throws -> SecretBytes? {
        try content.withLock { content in
            content.mayAsk.append(mayAsk)
            if let failure = content.failure { throw failure }
            return content.secrets[name].map { content.forgery ?? $0 }
        }
    }

    func keep(_ secret: SecretBytes, named name: String, label: String, mayAsk: Bool) async throws {
        try content.withLock { content in
            content.mayAsk.append(mayAsk)
            if let failure = content.failure { throw failure }
            content.secrets[name] = secret
        }
    }

    func waitUntilOpen(named name: String) async throws {
        content.withLock { $0.waitedFor.append(name) }
        while content.withLock({ $0.failure != nil }) { try await Task.sleep(for: .milliseconds(10)) }
    }

    func unlock() async throws { if let failure = content.withLock({ $0.failure }) { throw failure } }

    func states() -> AsyncStream<KeyringError?> {
        AsyncStream { $0.yield(content.withLock { $0.failure }) }
    }

    func forget(named name: String, mayAsk: Bool) async throws {
        try content.withLock { content in
            content.mayAsk.append(mayAsk)
            if let failure = content.failure { throw failure }
            content.secrets[name] = nil
        }
    }
}

/// Answers with one text after another, and remembers the questions.
actor FakePerson: PassphraseSource {
    private var answers: [String]
    private(set) var questions: [PassphraseRequest] = []

    init(_ answers: String...) { self.answers = answers }

    func passphrase(_ request: PassphraseRequest) async -> Passphrase? {
        questions.append(request)
        return answers.isEmpty ? nil : Passphrase(answers.removeFirst())
    }
}
