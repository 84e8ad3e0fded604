import Parley

@testable import DesktopApplication
@testable import FakeCalls

/// Profiles with pretended accounts, kept in memory.
@MainActor final class PretendedProfiles: ProfileSource {
    var taken: Set<Int> = []
    /// What is remembered.
    var kept: ProfileShelf
    /// The newest account of each profile.
    private(set) var providers: [Int: FakeProvider] = [:]
    /// What was wiped.
    private(set) var wiped: [Int] = []
    /// What wiping fails with.
    var fault: (any Error)?

    init(_ kept: ProfileShelf = ProfileShelf()) { self.kept = kept }

    /// Two profiles, of which the first is shown.
    static func two() throws -> PretendedProfiles {
        var shelf = ProfileShelf()
        _ = try shelf.make()
        _ = shelf.begun(2)
        _ = try shelf.show(1)
        return PretendedProfiles(shelf)
    }

    func read() -> (shelf: ProfileShelf, loss: String?) { (kept, nil) }
    func write(_ shelf: ProfileShelf) throws { kept = shelf }

    func makeProvider(of id: Int) -> any CallProvider {
        let provider = FakeProvider(pause: .milliseconds(1), isNew: kept[id] == nil)
        providers[id] = provider
        return provider
    }

    func wipe(_ id: Int) async throws {
        if let fault { throw fault }
        wiped.append(id)
    }
}
