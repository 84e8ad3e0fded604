import Foundation
import XCTest

/// Every page of the windows: in German, in a window of 360 pixels, with text of twice the size and from right to left always, and in each
/// look where pictures are taken.
final class PagesDesktopTests: DesktopTestCase {
    func testEachPageCanBeUsedInANarrowWindow() throws { try walk(.narrow) }

    func testEachPageCanBeUsedInGerman() throws { try walk(.german) }

    func testEachPageCanBeUsedWithTextOfTwiceTheSize() throws { try walk(.large) }

    func testEachPageCanBeUsedFromRightToLeft() throws { try walk(.mirrored) }

    func testEachPageHasItsPictures() throws {
        let takesPictures = ProcessInfo.processInfo.environment["PARLEY_SCREENSHOTS"] != nil
        try skip(where: !takesPictures, "PARLEY_SCREENSHOTS names no folder")
        for look in [PageTour.Look.light, .dark, .contrast] { try walk(look) }
    }

    private func walk(_ look: PageTour.Look) throws {
        let folder = try RunningProgram.emptyFolder()
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        try PageTour(look, in: folder) { XCTFail($0) }.walk()
    }
}
