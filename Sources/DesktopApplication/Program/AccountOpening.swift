import BaseKit
import Wording

/// How far the account has come, and what waits for it: the person's passphrase for a window to ask in, and what they want for the
/// account to be open.
@MainActor final class AccountOpening {
    /// How long what a person asked for may wait for the account.
    private static let timeToOpen = Duration.seconds(30)

    /// What the account has told so far.
    private(set) var overview = AccountOverview(beginning: tr("Opening your profile…"))
    /// Whether the profile waits for its passphrase.
    private(set) var isLocked = false
    /// Is told when one of these has changed.
    var onChange: () -> Void = {}
    /// Is told why the account is not open, where no window says so.
    var onTrouble: (String) -> Void = { _ in }
    /// Whether there is a window to ask in.
    var hasWindow: () -> Bool = { false }

    private let provider: any CallProvider
    private var isStarting = false
    private var isClosed = false
    private var wanted: (@MainActor () -> Void)?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Prepares it; nothing is opened before `start`.
    init(_ provider: any CallProvider) { self.provider = provider }

    /// Opens the account, also one that could not be opened before.
    func start() {
        guard !isStarting, !isClosed else { return }
        isStarting = true
        Task { [provider] in
            await provider.start()
            isStarting = false
        }
    }

    /// Takes in what the account tells.
    func take(_ update: ProviderUpdate) {
        overview.take(update)
        onChange()
        switch update {
        case .ready:
            let body = wanted
            wanted = nil
            body?()
        case .failed(let sentence):
            wanted = nil
            if !hasWindow() { onTrouble(sentence) }
        case .starting, .contacts, .requests, .relays, .key, .trouble, .notice, .incoming, .missed, .lost: break
        }
    }

    /// Does something once the account is open; never when that takes longer than a person waits, or they want something else.
    func whenOpen(_ body: @escaping @MainActor () -> Void) {
        guard overview.opening != .done else { return body() }
        let deadline = Instant.now + Self.timeToOpen
        wanted = { if Instant.now < deadline { body() } }
    }

    /// A window has been opened: what waits for one goes on, and what failed is tried again.
    func windowOpened() {
        goOn()
        if overview.opening.isFailure { start() }
    }

    /// Has the passphrase asked for once there is a window. The profile is locked until then, unless it is open and gets another one.
    func waitForPassphrase(_ ask: @MainActor () async -> String?) async -> String? {
        setLocked(overview.opening != .done)
        defer { setLocked(false) }
        if !hasWindow(), !isClosed {
            onTrouble(tr("The profile is locked. Open Parley to enter the passphrase."))
            await withCheckedContinuation { waiting.append($0) }
        }
        return await ask()
    }

    /// Nothing is opened or waited for any more.
    func close() {
        isClosed = true
        goOn()
    }

    private func goOn() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        onChange()
    }
}
