import DesktopSession
import Portal

/// Has who calls told at once that the person is busy, as long as they want that: always, or while the desktop is not to disturb them.
@MainActor final class BusyMode {
    private let settings: ProgramSettings
    private let tell: AsyncStream<Bool>.Continuation
    private let telling: Task<Void, Never>
    private var watching: Task<Void, Never>?
    private var isQuiet = false

    /// Follows the settings; `set` says whether the person takes no calls now.
    init(_ settings: ProgramSettings, set: @escaping @MainActor (Bool) async -> Void) {
        self.settings = settings
        let (news, tell) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.tell = tell
        telling = Task { for await isBusy in news { await set(isBusy) } }
        settingsChanged()
    }

    /// The settings have changed.
    func settingsChanged() {
        if settings[.isBusyWhileQuiet], watching == nil {
            watching = Task { [weak self] in
                guard let bus = try? await Bus.session() else { return }
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

    private func decide() { tell.yield(settings[.isBusy] || (settings[.isBusyWhileQuiet] && isQuiet)) }
}
