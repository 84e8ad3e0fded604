import DesktopSession
import Wording

/// Ends a call before the machine sleeps, and says when it has woken up.
@MainActor final class SleepHandling {
    private let listening: Task<Void, Never>

    /// - Parameters:
    ///   - beforeSleep: what is to be done first; the machine waits for its end, 5 s as most are set up.
    ///   - afterSleep: the machine is awake again.
    init(
        beforeSleep: @escaping @MainActor () async -> Void, afterSleep: @escaping @MainActor () async -> Void
    ) {
        listening = Task {
            let watch = SleepWatch(
                application: ApplicationIdentity.name, reason: tr("A call is ended before the machine sleeps"))
            // No system bus, no logind: then nobody says when the machine sleeps.
            do { try await watch.start() } catch { return }
            for await news in watch.news {
                switch news {
                case .begins(let delay):
                    await beforeSleep()
                    withExtendedLifetime(delay) {}
                case .over: await afterSleep()
                }
            }
        }
    }

    /// Lets go of the machine's sleep.
    func close() { listening.cancel() }
}
