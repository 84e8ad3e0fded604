import DesktopSession
import Portal

/// Has who calls told at once that the person is busy, as long as they want that: always, or while the desktop is not to disturb them.
///
/// “Always” is a choice of the profile's, which `parley-cli` knows as well: the program's setting follows it while the program runs.
@MainActor final class BusyMode {
    private let settings: ProgramSettings
    private let provider: any BusyTaking
    private let connect: @Sendable () async throws -> Bus
    private let tell: AsyncStream<News>.Continuation
    private let telling: Task<Void, Never>
    private var watching: Task<Void, Never>?
    private var isQuiet = false
    /// The choice as it was heard last.
    private var choice: Bool
    /// Whether the person has chosen since the program's start.
    private var hasChosen = false
    private var isOpen = false

    private enum News: Sendable {
        case forNow(Bool)
        case byChoice(Bool)
    }

    /// Follows the settings. `bus` is the session's, which is asked for once it is needed.
    init(
        _ settings: ProgramSettings, _ provider: any BusyTaking,
        bus: @escaping @Sendable () async throws -> Bus = { try await Bus.session() }
    ) {
        self.settings = settings
        self.provider = provider
        connect = bus
        choice = settings[.isBusy]
        let (news, tell) = AsyncStream<News>.makeStream()
        self.tell = tell
        telling = Task {
            for await item in news {
                switch item {
                case .forNow(let isBusy): await provider.setBusy(isBusy)
                case .byChoice(let isBusy): await provider.setBusyByChoice(isBusy)
                }
            }
        }
        settingsChanged()
    }

    /// The account is open: what its profile remembers holds, unless the person has chosen meanwhile.
    func accountIsOpen() async {
        let kept = await provider.isBusyByChoice
        isOpen = true
        if let kept, !hasChosen {
            choice = kept
            settings[.isBusy] = kept
        } else if settings[.isBusy] != (kept ?? false) {
            tell.yield(.byChoice(settings[.isBusy]))
        }
    }

    /// The person chooses elsewhere than in the preferences. - Returns: Whether the account is open, which remembers it.
    func choose(_ isBusy: Bool) -> Bool {
        if isOpen { settings[.isBusy] = isBusy }
        return isOpen
    }

    /// The settings have changed.
    func settingsChanged() {
        if settings[.isBusy] != choice {
            (choice, hasChosen) = (settings[.isBusy], true)
            if isOpen { tell.yield(.byChoice(choice)) }
        }
        if settings[.isBusyWhileQuiet], watching == nil {
            watching = Task { [weak self, connect] in
                guard let bus = try? await connect() else { return }
                for await isQuiet in DoNotDisturb(bus: bus).states() {
                    guard let self, !Task.isCancelled else { return }
                    self.isQuiet = isQuiet
                    decide()
                }
            }
        } else if !settings[.isBusyWhileQuiet] {
            watching?.cancel()
            (watching, isQuiet) = (nil, false)
        }
        decide()
    }

    /// Follows nothing any more.
    func close() {
        watching?.cancel()
        telling.cancel()
        tell.finish()
    }

    private func decide() { tell.yield(.forNow(settings[.isBusy] || (settings[.isBusyWhileQuiet] && isQuiet))) }
}
