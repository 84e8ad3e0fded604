import BaseKit
import CSecret
import Cryptography
import Foundation
import GLibKit

/// The desktop's keyring through libsecret: keeps secrets of this program by name, in the person's default collection.
public struct SecretService: Sendable {
    /// How long it may take when nobody is asked, in seconds.
    private static let patience = 10
    /// How long a person may take to answer the keyring's question, in seconds.
    private static let patienceWithPerson = 120

    /// The keyring of this session; it is contacted at first use.
    public init() {}

    /// The secret kept under a name; nil when there is none.
    /// - Parameter mayAsk: Whether the keyring may ask the person to unlock it.
    /// - Throws: `KeyringError`.
    public func secret(named name: String, mayAsk: Bool) async throws -> SecretBytes? {
        try await Self.run(mayAsk) { try SecretServiceCall(cancellable: $0).lookup(name, mayAsk: mayAsk) }
    }

    /// Keeps a secret under a name, in place of what was there.
    /// - Parameters:
    ///   - label: What the person reads in a list of secrets.
    ///   - mayAsk: Whether the keyring may ask the person to unlock it or to make a first collection.
    /// - Throws: `KeyringError`.
    public func keep(_ secret: SecretBytes, named name: String, label: String, mayAsk: Bool) async throws {
        try await Self.run(mayAsk) {
            try SecretServiceCall(cancellable: $0).store(secret, name, label: label, mayAsk: mayAsk)
        }
    }

    /// Removes what is kept under a name, if anything is.
    /// - Parameter mayAsk: Whether the keyring may ask the person to unlock it.
    /// - Throws: `KeyringError`; then it may be there still.
    public func forget(named name: String, mayAsk: Bool) async throws {
        try await Self.run(mayAsk) { try SecretServiceCall(cancellable: $0).clear(name, mayAsk: mayAsk) }
    }

    /// Has the keyring ask the person to unlock it, where it is locked.
    /// - Throws: `KeyringError`.
    public func unlock() async throws {
        try await Self.run(true) { try SecretServiceCall(cancellable: $0).unlock() }
    }

    /// What keeps the keyring from being used without a question to the person, nil where nothing does: as it is now, and each time that
    /// it changes.
    public func states() -> AsyncStream<KeyringError?> {
        KeyringWatch().follow {
            do {
                try await check()
                return nil
            } catch {
                return error as? KeyringError ?? .silent
            }
        }
    }

    /// Looks whether secrets can be kept now; the person is not asked.
    /// - Throws: `KeyringError`: `.missing`, or `.locked` also when it has no place for secrets yet.
    public func check() async throws {
        try await Self.run(false) { try SecretServiceCall(cancellable: $0).ensureUnlocked() }
    }

    /// Waits until a secret can be read without asking the person; of one that is not there, until that is certain. A keyring that is
    /// missing may come.
    /// - Throws: `CancellationError`.
    public func waitUntilOpen(named name: String) async throws {
        try await KeyringWatch().wait { await isOpen(named: name) }
    }

    private func isOpen(named name: String) async -> Bool {
        (try? await Self.run(false) { try SecretServiceCall(cancellable: $0).isOpen(name) }) ?? false
    }

    /// Whether there can be a session bus. Asking GLib without one might start a bus of its own.
    private static var hasBus: Bool {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return !address.isEmpty && address != "disabled:" }
        guard let folder = environment["XDG_RUNTIME_DIR"] else { return false }
        return FileManager.default.fileExists(atPath: folder + "/bus")
    }

    /// libsecret's blocking calls run their own loop on a thread of their own.
    private static func run<Value: Sendable>(
        _ mayAsk: Bool, _ body: @escaping @Sendable (Cancellable) throws -> Value
    ) async throws -> Value {
        guard hasBus else { throw KeyringError.missing("there is no session bus") }
        let cancellable = Cancellable()
        let alarm = Task {
            try await Task.sleep(for: .seconds(mayAsk ? patienceWithPerson : patience))
            cancellable.cancel()
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                WorkerThreads.shared.run {
                    continuation.resume(
                        with: Result {
                            do {
                                return try body(cancellable)
                            } catch let error as GLibError {
                                throw KeyringError(error)
                            }
                        })
                }
            }
        } onCancel: {
            cancellable.cancel()
        }
    }
}

/// Ends a call that takes too long. A `GCancellable` may be cancelled from any thread.
final class Cancellable: @unchecked Sendable {
    let raw = g_cancellable_new()

    func cancel() { g_cancellable_cancel(raw) }

    deinit { if let raw { g_object_unref(raw) } }
}
