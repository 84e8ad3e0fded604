import BaseKit
import GLibKit
import Parley
import Wording

// The profile as a file.
extension AccountProvider {
    func moveProfile(
        to path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void
    ) async throws {
        _ = try opened()
        try ProfileExport.check(path)
        channel.yield(.starting(tr("Moving your profile…")))
        await leaveAccount()
        do {
            let news = MovingNews(tell)
            try await ProfileExport(configuration).run(to: path, passphrase: Passphrase(passphrase)) { news.tell($0) }
        } catch {
            // Also when that is because the person has thought better of it.
            await Task { await start(mayAsk: true) }.value
            throw error
        }
        channel.yield(.contacts([]))
        channel.yield(.relays([]))
        channel.yield(.moved(file: path))
    }

    func bringProfile(
        from path: String, passphrase: String, tell: @escaping @MainActor (Double) -> Void
    ) async throws {
        let news = MovingNews(tell)
        try await ProfileImport(path, as: configuration).run(passphrase: Passphrase(passphrase)) { news.tell($0) }
    }
}

/// Brings news to the main actor, a hundred at most.
private final class MovingNews: Sendable {
    private let last = Lock(-1)
    private let listener: @MainActor (Double) -> Void

    init(_ listener: @escaping @MainActor (Double) -> Void) { self.listener = listener }

    func tell(_ part: Double) {
        let percent = Int(min(max(part, 0), 1) * 100)
        let isNews = last.withLock { last in
            defer { last = max(last, percent) }
            return percent > last
        }
        if isNews { Task { @MainActor [listener] in listener(part) } }
    }
}
