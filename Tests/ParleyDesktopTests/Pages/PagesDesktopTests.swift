import Foundation
import Testing

/// Every page of the windows: in German, in a window of 360 pixels, with text of twice the size and from right to left always, and in each
/// look where pictures are taken.
@Suite(.windows(limit: .seconds(560)), .serialized, .timeLimit(.minutes(10)))
final class PagesDesktopTests: DesktopSuite {
    private static let isWide = ProcessInfo.processInfo.environment["PARLEY_SCREEN"] == "3840x2160"

    @Test func `each page can be used in a narrow window`() throws { try walk(.narrow) }

    @Test func `each page can be used in German`() throws { try walk(.german) }

    @Test func `each page can be used with text of twice the size`() throws { try walk(.large) }

    @Test func `each page can be used from right to left`() throws { try walk(.mirrored) }

    @Test(.onlyWhere(isWide, "PARLEY_SCREEN is not 3840x2160"))
    func `each page can be used on a screen of 3840 by 2160 pixels`() throws { try walk(.wide) }

    @Test(
        .onlyWhere(ScreenCamera.isOn, "PARLEY_SCREENSHOTS names no folder"),
        arguments: [PageTour.Look.light, .dark, .contrast])
    func `each page has its pictures`(_ look: PageTour.Look) throws { try walk(look) }

    private func walk(_ look: PageTour.Look) throws {
        let folder = try RunningProgram.emptyFolder()
        atEnd { try? FileManager.default.removeItem(at: folder) }
        try PageTour(look, in: folder) { Issue.record("\($0)") }.walk()
    }
}
