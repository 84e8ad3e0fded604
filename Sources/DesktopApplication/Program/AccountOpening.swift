import BaseKit
import Wording

/// How far the account has come, and what waits for it: the person's passphrase for a window to ask in, and what they want for the
/// account to be open.
@MainActor final class AccountOpening {
    /// How long what a person asked for may wait for the account.
    private static let timeToOpen = Duration.seconds(30)

    /// What the account has told so far.
    private(set) var overview: AccountOverview
    /// Whether the profile waits for its passphrase, or for the keyring.
    var isLocked: Bool { if case .locked = overview.opening { true } else { isAsking } }
    /// Is told when one of these has changed.
    var onChange: () -> Void = {}
    /// Is told why the account is not open, where no window says so.
    var onTrouble: (String) -> Void = { _ in }
    /// Is told that there is no such reason any more.
    var onTroubleOver: () -> Void = {}
    /// Whether there is a window to ask in.
    var hasWindow: () -> Bool = { false }

    /// How long after an attempt the next one waits that nobody asked for.
    private static let timeBetweenAttempts = Duration.seconds(5)

    private let provider: any CallProvider
    private var isStarting = false
    private var startsAgain = false
    /// Whether the keyring could ask to be unlocked for the last attempt.
    private var couldAsk = false
    /// Whether the profile waits for its passphrase.
    private var isAsking = false
    private var watching: Task<Void, Never>?
    private var lastUnlocking: Instant?
    private var isClosed = false
    private var wanted: (@MainActor () -> Void)?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Prepares it; nothing is opened before `start`.
    init(_ provider: any CallProvider) {
        self.provider = provider
        overview = provider.isNew ? .new : AccountOverview(beginning: tr("Opening your profile…"))
    }

    /// Opens the account, also one that could not be opened before. The keyring asks to be unlocked only where a window says what
    /// for: nobody is asked out of the blue, at the login or when somebody calls.
    func start() {
        guard !isClosed else { return }
        guard !provider.isNew else {
            if !hasWindow() { onTrouble(tr("There is no profile yet. Open Parley to begin one.")) }
            return
        }
        guard !isStarting else {
            startsAgain = true
            return
        }
        isStarting = true
        couldAsk = hasWindow()
        watching?.cancel()
        Task { [provider, couldAsk] in
            await provider.start(mayAsk: couldAsk)
            isStarting = false
            if startsAgain {
                startsAgain = false
                start()
            }
        }
    }

    /// Takes in what the account tells.
    func receive(_ update: ProviderUpdate) {
        overview.receive(update)
        onChange()
        switch update {
        case .ready:
            onTroubleOver()
            let body = wanted
            wanted = nil
            body?()
        case .failed(let sentence):
            wanted = nil
            if !hasWindow() { onTrouble(sentence) }
        case .locked(let sentence):
            if !hasWindow() { onTrouble(sentence) } else if !couldAsk { start() }
            waitForKeyring()
        case .moved:
            wanted = nil
            if !hasWindow() { onTrouble(tr("Your profile has moved to another machine.")) }
        case .starting, .name, .contacts, .requests, .relays, .key, .trouble, .network, .notice, .incoming, .missed,
            .written, .lost, .takesGroupCalls, .groupCallGoesOn:
            break
        }
    }

    /// Opens the account once the keyring is unlocked, by whomever.
    private func waitForKeyring() {
        watching?.cancel()
        watching = Task { [weak self, provider] in
            do {
                if let last = self?.lastUnlocking {
                    try await Task.sleep(for: Self.timeBetweenAttempts - (.now - last))
                }
                try await provider.waitForKeyring()
            } catch {
                return
            }
            self?.lastUnlocking = .now
            self?.start()
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
        setAsking(overview.opening != .done)
        defer { setAsking(false) }
        if !hasWindow(), !isClosed {
            onTrouble(tr("The profile is locked. Open Parley to enter the passphrase."))
            await withCheckedContinuation { waiting.append($0) }
        }
        return await ask()
    }

    /// Nothing is opened or waited for any more.
    func close() {
        isClosed = true
        watching?.cancel()
        goOn()
    }

    private func goOn() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func setAsking(_ isAsking: Bool) {
        self.isAsking = isAsking
        onChange()
    }
}
