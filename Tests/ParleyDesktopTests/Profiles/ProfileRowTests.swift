import Parley
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ProfileRowTests {
    private func row(_ id: Int, of shelf: ProfileShelf, _ news: ProfileRow.News?) throws -> ProfileRow? {
        ProfileRow(try #require(shelf[id]), in: shelf, news)
    }

    private func two() throws -> ProfileShelf {
        var shelf = ProfileShelf()
        _ = shelf.named(1, "Ada")
        _ = try shelf.make()
        _ = shelf.begun(2)
        return shelf
    }

    @Test func `the profile that is shown says so, and one without a name has its number`() throws {
        let shelf = try two()
        let shown = try #require(try row(2, of: shelf, .init(opening: .done)))
        #expect([shown.name, shown.state] == ["Profile 2", "Shown now"])
        let other = try #require(try row(1, of: shelf, .init(opening: .done)))
        #expect([other.name, other.state] == ["Ada", "Open"])
    }

    @Test func `what is new in another profile is named and counted`() throws {
        let shelf = try two()
        let news = ProfileRow.News(opening: .done, unread: 2, missed: 1)
        #expect(try row(1, of: shelf, news)?.state == "2 unread messages · 1 missed call")
        #expect(try row(1, of: shelf, .init(opening: .locked("")))?.state == "Locked")
        #expect(try row(1, of: shelf, .init(opening: .begun(""), isLocked: true))?.state == "Locked")
        #expect(try row(1, of: shelf, .init(opening: .failed("")))?.state == "Can’t be opened")
    }

    @Test func `a closed profile can be removed and not closed, the only open one not be closed`() throws {
        var shelf = try two()
        _ = try shelf.close(2)
        let closed = try #require(try row(2, of: shelf, nil))
        #expect(closed.isClosed && closed.canRemove && !closed.canClose && closed.state.hasPrefix("Closed"))
        #expect(try row(1, of: shelf, .init(opening: .done))?.canClose == false)
        #expect(try row(1, of: ProfileShelf(), .init(opening: .done))?.canRemove == false)
    }

    @Test func `a profile that is being removed is not shown any more`() throws {
        var shelf = try two()
        _ = try shelf.remove(2)
        #expect(try row(2, of: shelf, nil) == nil)
    }
}
